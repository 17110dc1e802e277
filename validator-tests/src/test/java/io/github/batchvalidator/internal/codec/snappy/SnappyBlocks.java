// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;

/** Sound Snappy blocks at random, written by the library or tag by tag. */
final class SnappyBlocks {
  private static final int BLOCK_BYTES = 32 * 1024;

  private SnappyBlocks() {}

  /** Returns a block of any kind, with at most 32 KiB plain bytes. */
  static byte[] any(SplittableRandom random) {
    int most = 1 + random.nextInt(random.nextBoolean() ? 400 : BLOCK_BYTES);
    return switch (random.nextInt(3)) {
      case 0 -> SnappyStreams.block(repeats(random, most));
      case 1 -> SnappyStreams.block(text(random, most));
      default -> new Tags().some(random, most).toBlock();
    };
  }

  /** Returns plain bytes with many matches, or few, or none. */
  private static byte[] repeats(SplittableRandom random, int bytes) {
    byte[] plain = new byte[bytes];
    int mode = random.nextInt(4);
    int reach = 1 + random.nextInt(random.nextBoolean() ? 50 : 2000);
    for (int i = 0; i < bytes; i++) {
      boolean repeated = mode == 3 && i > reach && random.nextInt(20) > 0;
      int distance = repeated ? 1 + random.nextInt(reach) : 0;
      plain[i] = repeated ? plain[i - distance] : (byte) random.nextInt(mode == 2 ? 2 : 256);
    }
    return mode == 0 ? new byte[bytes] : plain;
  }

  /** Returns text as of events: the same names, other numbers. */
  static byte[] text(SplittableRandom random, int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("{\"id\":").append(random.nextLong());
      text.append(",\"kind\":\"").append("abcdefgh", 0, 1 + random.nextInt(8));
      text.append("\",\"amount\":").append(random.nextInt(100_000)).append("}");
    }
    byte[] plain = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      plain[i] = (byte) text.charAt(i);
    }
    return plain;
  }

  /** A block written tag by tag. */
  static final class Tags {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int plain;

    Tags literal(byte... bytes) {
      int length = bytes.length - 1;
      if (length < 60) {
        out.write(length << 2);
      } else if (length < 256) {
        out.writeBytes(Bytes.of(60 << 2, length));
      } else {
        out.writeBytes(Bytes.of(61 << 2, length & 0xFF, length >> 8));
      }
      out.writeBytes(bytes);
      plain += bytes.length;
      return this;
    }

    /** A copy of 4 to 11 bytes from at most 2047 bytes before. */
    Tags shortCopy(int bytes, int offset) {
      out.writeBytes(Bytes.of(1 | (bytes - 4) << 2 | offset >> 8 << 5, offset & 0xFF));
      plain += bytes;
      return this;
    }

    /** A copy of 1 to 64 bytes. */
    Tags longCopy(int bytes, int offset) {
      out.writeBytes(Bytes.of(2 | (bytes - 1) << 2, offset & 0xFF, offset >> 8));
      plain += bytes;
      return this;
    }

    /** A copy of 1 to 64 bytes with an offset of four bytes. */
    Tags farCopy(int bytes, int offset) {
      out.write(3 | (bytes - 1) << 2);
      out.writeBytes(Bytes.littleEndian(offset));
      plain += bytes;
      return this;
    }

    /** The tags of another block. Their copies refer to the same bytes as there. */
    Tags tags(Tags others) {
      out.writeBytes(others.out.toByteArray());
      plain += others.plain;
      return this;
    }

    /** Any tags, until there are so many plain bytes. */
    Tags some(SplittableRandom random, int bytes) {
      int mode = random.nextInt(4);
      while (plain < bytes) {
        int left = bytes - plain;
        int kind = plain == 0 ? 0 : random.nextInt(8);
        if (kind < (mode == 0 ? 1 : 3) || left < 4) {
          literal(content(random, mode, Math.min(left, literalBytes(random, mode))));
        } else if (kind < 5) {
          shortCopy(
              Math.min(left, 4 + random.nextInt(8)), 1 + random.nextInt(Math.min(plain, 2047)));
        } else {
          int offset = random.nextInt(3) == 0 ? plain : 1 + random.nextInt(plain);
          longCopy(Math.min(left, 1 + random.nextInt(64)), offset);
        }
      }
      return this;
    }

    private static int literalBytes(SplittableRandom random, int mode) {
      boolean isLong = random.nextInt(mode == 3 ? 20 : 3) == 0;
      return 1 + random.nextInt(isLong ? (mode == 1 ? 2000 : 300) : 60);
    }

    /** Bytes that look like tags confuse a lane that starts inside of them. */
    private static byte[] content(SplittableRandom random, int mode, int bytes) {
      byte[] content = new byte[bytes];
      for (int i = 0; i < bytes; i++) {
        content[i] = (byte) (mode == 2 ? 0xFC : random.nextInt(256));
      }
      return content;
    }

    int plainBytes() {
      return plain;
    }

    /** Returns the bytes of the tags so far. */
    int storedBytes() {
      return out.size();
    }

    byte[] toBlock() {
      return toBlock(0);
    }

    /** Returns a block that declares the wrong size by so many bytes. */
    byte[] toBlock(int sizeError) {
      return Bytes.concat(SnappyStreams.unsignedVarint(plain + sizeError), out.toByteArray());
    }
  }
}
