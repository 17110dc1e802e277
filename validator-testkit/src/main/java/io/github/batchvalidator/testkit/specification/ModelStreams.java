// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What sound streams declare, as RFC 8878 and the LZ4 frame format describe it. */
final class ModelStreams {
  private static final int ZSTD_MAGIC = 0xFD2FB528;

  private ModelStreams() {}

  /** Returns the maximum size of a block, from the second byte of the frame descriptor. */
  static long lz4Block(ByteBuffer stream) {
    return 1L << (8 + 2 * (stream.get(5) >> 4 & 7));
  }

  /** Returns the largest window of all frames. */
  static long zstdWindow(ByteBuffer stream) {
    stream.order(ByteOrder.LITTLE_ENDIAN);
    long largest = 0;
    while (stream.remaining() > 4 && stream.getInt() == ZSTD_MAGIC) {
      int descriptor = stream.get();
      boolean isSingleSegment = (descriptor & 32) != 0;
      int window = isSingleSegment ? 0 : stream.get();
      stream.position(stream.position() + new int[] {0, 1, 2, 4}[descriptor & 3]);
      long content = content(stream, descriptor >> 6 & 3, isSingleSegment);
      long base = 1L << (10 + (window >> 3 & 31));
      largest = Math.max(largest, isSingleSegment ? content : base + base / 8 * (window & 7));
      skipBlocks(stream);
      stream.position(stream.position() + (descriptor & 4)); // checksum
    }
    return largest;
  }

  private static long content(ByteBuffer stream, int flag, boolean isSingleSegment) {
    return switch (flag) {
      case 0 -> isSingleSegment ? stream.get() & 0xFF : 0;
      case 1 -> (stream.getShort() & 0xFFFF) + 256;
      case 2 -> stream.getInt() & 0xFFFF_FFFFL;
      default -> stream.getLong();
    };
  }

  private static void skipBlocks(ByteBuffer stream) {
    boolean isLast = false;
    while (!isLast) {
      int header = (stream.getShort() & 0xFFFF) | (stream.get() & 0xFF) << 16;
      isLast = (header & 1) != 0;
      boolean isRepeated = (header >> 1 & 3) == 1;
      stream.position(stream.position() + (isRepeated ? 1 : header >> 3));
    }
  }
}
