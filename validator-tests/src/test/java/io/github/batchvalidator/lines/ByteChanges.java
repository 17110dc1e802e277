// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Damages bytes of which nothing is known. */
final class ByteChanges {
  private static final int LENGTH_AT = 8;
  private static final int OVERHEAD = 12;
  private static final int[] BYTES = {0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF};

  private final Random random;

  ByteChanges(Random random) {
    this.random = random;
  }

  /** Returns the bytes with one to three places flipped, overwritten, cut out or doubled. */
  byte[] few(byte[] bytes) {
    byte[] changed = bytes;
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      changed = one(changed);
    }
    return changed;
  }

  private byte[] one(byte[] bytes) {
    if (bytes.length == 0) {
      return garbage();
    }
    int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 24));
    int some = Math.min(1 + random.nextInt(8), bytes.length - at);
    byte[] changed = bytes.clone();
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> changed[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 3 -> changed[at] = (byte) BYTES[random.nextInt(BYTES.length)];
      case 4 -> changed[at] = (byte) random.nextInt();
      case 5 -> Arrays.fill(changed, at, at + some, (byte) BYTES[random.nextInt(BYTES.length)]);
      case 6 -> changed = splice(bytes, at, new byte[0], some);
      case 7 -> changed = splice(bytes, at, Arrays.copyOfRange(bytes, at, at + some), 0);
      default -> changed = splice(bytes, at, garbage(), 0);
    }
    return changed;
  }

  private byte[] garbage() {
    byte[] some = new byte[1 + random.nextInt(24)];
    if (random.nextBoolean()) {
      random.nextBytes(some);
    }
    return some;
  }

  /** Replaces so many bytes at a place. */
  static byte[] splice(byte[] bytes, int at, byte[] by, int removed) {
    byte[] spliced = Arrays.copyOf(bytes, bytes.length + by.length - removed);
    System.arraycopy(by, 0, spliced, at, by.length);
    int rest = at + removed;
    System.arraycopy(bytes, rest, spliced, at + by.length, bytes.length - rest);
    return spliced;
  }

  static byte[] join(byte[] first, byte[] second) {
    return splice(first, first.length, second, 0);
  }

  /** Cuts the buffer, doubles it, or appends bytes, with or without a new length field. */
  byte[] frame(byte[] bytes) {
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1 -> lengthen(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      case 2 -> join(bytes, bytes);
      case 3 -> join(bytes, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      case 4 -> join(bytes, garbage());
      default -> few(bytes);
    };
  }

  /** Makes the length field of the first batch fit all of the bytes. */
  static byte[] lengthen(byte[] bytes) {
    if (bytes.length >= OVERHEAD) {
      ByteBuffer.wrap(bytes).putInt(LENGTH_AT, bytes.length - OVERHEAD);
    }
    return bytes;
  }
}
