// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A random deflate stream, and gzip payloads with one damaged copy of it. The trailer fits what
 * zlib reads of the copy, so that some copies are accepted. Confined to one thread.
 */
final class DamagedDeflate implements AutoCloseable {
  static final int LARGE_BYTES = 250_000;

  private static final int SMALL_BYTES = 400;
  private static final int ONE_IS_LARGE = 200;
  private static final int MOST_PARTS = 4;
  private static final int MOST_DISTANCE = 40_000;
  private static final int MOST_MOVED = 24;

  /** The code lengths of the first block are within these bytes. */
  private static final int TABLE_BYTES = 80;

  /** The kinds of damage to the stream. */
  enum Kind {
    BITS_FLIPPED,
    BYTES_CHANGED,
    BYTES_REMOVED,
    BYTES_ADDED,
    TABLES_DAMAGED,
    BLOCKS_SWAPPED,
    PAYLOAD_CHANGED,
    PAYLOAD_CUT
  }

  private final Inflater inflater = new Inflater(true);
  private final byte[] inflated = new byte[2 * LARGE_BYTES];
  private List<byte[]> parts = List.of();
  private byte[] plain = {};

  /** Writes another stream, of parts that end between blocks, at a whole byte. */
  void start(SplittableRandom random) {
    boolean large = random.nextInt(ONE_IS_LARGE) == 0;
    plain = plain(random, 1 + random.nextInt(large ? LARGE_BYTES : SMALL_BYTES));
    parts = parts(random);
  }

  /** {@return a payload with a damaged copy of the stream, often beside sound members} */
  byte[] next(SplittableRandom random, Kind kind) {
    byte[] sound = Bytes.concat(parts.toArray(byte[][]::new));
    byte[] copy = damaged(random, kind, sound);
    byte[] member = Bytes.concat(GzipStreams.header(0), copy, GzipStreams.trailer(zlib(copy)));
    byte[] other = Bytes.concat(GzipStreams.header(0), sound, GzipStreams.trailer(plain));
    byte[] payload =
        switch (random.nextInt(8)) {
          case 0 -> Bytes.concat(member, other);
          case 1 -> Bytes.concat(other, member);
          default -> member;
        };
    return switch (kind) {
      case PAYLOAD_CHANGED -> Bytes.damaged(payload, random.nextInt(payload.length));
      case PAYLOAD_CUT -> Bytes.cut(payload, random.nextInt(payload.length));
      default -> payload;
    };
  }

  private byte[] damaged(SplittableRandom random, Kind kind, byte[] sound) {
    int from = random.nextInt(sound.length);
    int moved = Math.min(1 + random.nextInt(MOST_MOVED), sound.length - from);
    byte[] head = Bytes.cut(sound, from);
    byte[] tail = Arrays.copyOfRange(sound, from, sound.length);
    byte[] rest = Arrays.copyOfRange(tail, moved, tail.length);
    return switch (kind) {
      case BITS_FLIPPED -> flipped(random, sound, sound.length);
      case TABLES_DAMAGED -> flipped(random, sound, Math.min(TABLE_BYTES, sound.length));
      case BYTES_CHANGED -> Bytes.concat(head, noise(random, moved), rest);
      case BYTES_REMOVED -> Bytes.concat(head, rest);
      case BYTES_ADDED -> Bytes.concat(head, noise(random, moved), tail);
      case BLOCKS_SWAPPED -> swapped(random);
      case PAYLOAD_CHANGED, PAYLOAD_CUT -> sound;
    };
  }

  private static byte[] flipped(SplittableRandom random, byte[] sound, int within) {
    byte[] copy = sound.clone();
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      copy[random.nextInt(within)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return copy;
  }

  private static byte[] noise(SplittableRandom random, int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] swapped(SplittableRandom random) {
    List<byte[]> others = new ArrayList<>(parts);
    Collections.swap(others, random.nextInt(others.size()), random.nextInt(others.size()));
    return Bytes.concat(others.toArray(byte[][]::new));
  }

  private byte[] zlib(byte[] deflated) {
    inflater.reset();
    inflater.setInput(deflated);
    try {
      int bytes = inflater.inflate(inflated);
      return inflater.finished() ? Bytes.cut(inflated, bytes) : plain;
    } catch (DataFormatException e) {
      return plain;
    }
  }

  /** Literals and matches, near and far. */
  private static byte[] plain(SplittableRandom random, int length) {
    byte[] plain = new byte[length];
    int alphabet = 1 + random.nextInt(1 << random.nextInt(9));
    int far = 1 + random.nextInt(MOST_DISTANCE);
    for (int at = 0; at < length; ) {
      int distance = 1 + random.nextInt(random.nextBoolean() ? 16 : far);
      if (distance > at || random.nextInt(3) == 0) {
        plain[at++] = (byte) random.nextInt(alphabet);
        continue;
      }
      int end = Math.min(length, at + 1 + random.nextInt(40));
      for (; at < end; at++) {
        plain[at] = plain[at - distance];
      }
    }
    return plain;
  }

  private List<byte[]> parts(SplittableRandom random) {
    Deflater deflater = new Deflater(random.nextInt(10), true);
    deflater.setStrategy(random.nextInt(3));
    List<byte[]> all = new ArrayList<>();
    byte[] part = new byte[plain.length + 100 + plain.length / 1000];
    int count = 1 + random.nextInt(MOST_PARTS);
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) plain.length * i / count);
      deflater.setInput(plain, from, (int) ((long) plain.length * (i + 1) / count) - from);
      boolean last = i == count - 1;
      if (last) {
        deflater.finish();
      }
      int bytes = 0;
      int more;
      do { // the deflater applies a new strategy in a separate call
        int flush = last ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH;
        more = deflater.deflate(part, bytes, part.length - bytes, flush);
        bytes += more;
      } while (more > 0 || !(last ? deflater.finished() : deflater.needsInput()));
      all.add(Bytes.cut(part, bytes));
    }
    deflater.end();
    return all;
  }

  @Override
  public void close() {
    inflater.end();
  }

  @Override
  public String toString() {
    return plain.length + " bytes in " + parts.size() + " parts";
  }
}
