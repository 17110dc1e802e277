// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

/**
 * Looks at the headers of a zstd frame and of its blocks (RFC 8878) to tell, before anything is
 * decoded, how much memory the frame needs and how many bytes it can produce at the most. It judges
 * nothing: what it cannot read is left to the library.
 */
final class ZstdFrame {
  /** No block of any frame decodes to more. */
  static final int MAX_BLOCK_BYTES = 128 * 1024;

  /** The answer to what cannot be told. */
  static final long UNKNOWN = -1;

  private static final int MAGIC = 0xFD2FB528;
  private static final int DESCRIPTOR_AT = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int CHECKSUM = 0x04;
  private static final int MIN_WINDOW_LOG = 10;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int RLE_BLOCK = 1;
  private static final int COMPRESSED_BLOCK = 2;

  private static final int NOWHERE = -1;

  private int blocksAt;
  private long bound;
  private long contentSize;
  private boolean mayTellSize;
  private boolean hasChecksum;
  private boolean hasSmallBlocks;

  /** Creates the reader. */
  ZstdFrame() {}

  /**
   * Reads a frame header.
   *
   * @param payload the stored bytes
   * @param at position of the frame's first byte
   * @return bytes of memory that the library needs for the window; {@link #UNKNOWN} if there is no
   *     complete header of a regular frame
   */
  long windowBytes(Payload payload, int at) {
    int left = payload.length() - at;
    blocksAt = payload.length();
    mayTellSize = true;
    contentSize = UNKNOWN;
    if (left <= DESCRIPTOR_AT + 1 || payload.getIntLittleEndian(at) != MAGIC) {
      return UNKNOWN;
    }
    int descriptor = payload.get(at + DESCRIPTOR_AT);
    boolean single = (descriptor & SINGLE_SEGMENT) != 0;
    hasChecksum = (descriptor & CHECKSUM) != 0;
    int sizeFlag = (descriptor & 0xFF) >> 6;
    int dictionaryBytes = (1 << (descriptor & 3)) >> 1;
    int contentSizeBytes = sizeFlag == 0 ? (single ? 1 : 0) : 1 << sizeFlag;
    int windowAt = at + DESCRIPTOR_AT + 1;
    int contentSizeAt = windowAt + (single ? 0 : 1) + dictionaryBytes;
    blocksAt = contentSizeAt + contentSizeBytes;
    if (blocksAt > payload.length()) {
      return UNKNOWN;
    }
    mayTellSize = contentSizeBytes > 0;
    if (mayTellSize) {
      contentSize = contentSize(payload, contentSizeAt, contentSizeBytes);
    }
    long bytes = single ? contentSize : window(payload.get(windowAt) & 0xFF);
    hasSmallBlocks = !single && bytes < MAX_BLOCK_BYTES;
    return bytes;
  }

  /**
   * {@return how many plain bytes the frame whose header was read last says that it holds; {@link
   * #UNKNOWN} if it does not say so}
   */
  long contentSize() {
    return contentSize;
  }

  private static long window(int descriptor) {
    long base = 1L << (MIN_WINDOW_LOG + (descriptor >> 3));
    return base + (base >> 3) * (descriptor & 7);
  }

  private static long contentSize(Payload payload, int at, int bytes) {
    long size = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      size = size << Byte.SIZE | (payload.get(at + i) & 0xFF);
    }
    long all = bytes == Short.BYTES ? size + 256 : size;
    return all < 0 ? Long.MAX_VALUE : all;
  }

  /**
   * Walks the blocks of the frame whose header was read last. A window below the largest block also
   * bounds the blocks, which the library verifies in streams only: such a frame is left to a
   * stream.
   *
   * @param payload the stored bytes
   * @param most where to stop counting
   * @return the most bytes that the frame can produce if it ends exactly where the payload does and
   *     that is not above {@code most}, else {@link #UNKNOWN}
   */
  long plainBound(Payload payload, int most) {
    if (hasSmallBlocks) {
      return UNKNOWN;
    }
    return walk(payload, most) == payload.length() ? bound : UNKNOWN;
  }

  /**
   * {@return true if the frame whose header was read last does not say how much it holds, and no
   * other frame follows it}
   *
   * @param payload the stored bytes
   */
  boolean isAloneWithoutSize(Payload payload) {
    if (mayTellSize) {
      return false;
    }
    int end = walk(payload, Long.MAX_VALUE);
    return end == NOWHERE || end >= payload.length();
  }

  /**
   * Returns where the frame ends, or {@link #NOWHERE} if its blocks are wrong, cut, or may hold
   * more than so many plain bytes; how many they may hold is {@link #bound} then.
   */
  private int walk(Payload payload, long most) {
    bound = 0;
    int at = blocksAt;
    while (payload.length() - at >= BLOCK_HEADER_BYTES && bound <= most) {
      int header = payload.getUint24LittleEndian(at);
      int size = header >>> 3;
      int type = (header >>> 1) & 3;
      bound += type == COMPRESSED_BLOCK ? MAX_BLOCK_BYTES : size;
      int stored = type == RLE_BLOCK ? 1 : size;
      at += BLOCK_HEADER_BYTES;
      if (type > COMPRESSED_BLOCK || size > MAX_BLOCK_BYTES || stored > payload.length() - at) {
        return NOWHERE;
      }
      at += stored;
      if ((header & 1) != 0) {
        return bound <= most ? at + (hasChecksum ? Integer.BYTES : 0) : NOWHERE;
      }
    }
    return NOWHERE;
  }
}
