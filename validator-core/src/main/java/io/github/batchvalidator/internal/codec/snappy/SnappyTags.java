// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/**
 * Tables of the 256 tags of a Snappy block. A tag starts a literal or a copy:
 *
 * <pre>
 *  nnnnnn00  literal of n+1 bytes; for n of 60 to 63, 1 to 4 bytes with its length minus 1 follow
 *  ooonnn01  copy of n+4 bytes, with 3 high bits of its offset; one byte of the offset follows
 *  nnnnnn10  copy of n+1 bytes; two bytes with its offset follow
 *  nnnnnn11  copy of n+1 bytes; four bytes with its offset follow
 * </pre>
 *
 * <p>A position of the walk is one {@code long}: plain bytes in the upper half, stored bytes in the
 * lower half. One addition therefore moves both past a tag.
 */
final class SnappyTags {
  /**
   * The entry of {@link #STEP} for a tag that needs more bytes than its own: a literal with an
   * extra length, or a copy with an offset of four bytes. Added to a position once or twice, the
   * sum is at least this number or negative.
   */
  static final long SPECIAL = 1L << 62;

  /** The bits of a position that remain once {@link #SPECIAL} was added to it. */
  static final long POSITION_MASK = (1L << 60) - 1;

  /** The largest number of stored bytes of a tag that is not special, literal bytes included. */
  static final int LARGEST_STEP_BYTES = 61;

  /** The largest number of plain bytes of a copy, and of a literal that is not special. */
  static final int LARGEST_PIECE_BYTES = 64;

  /** The kinds of tags, in the two lowest bits. */
  static final int KIND_MASK = 3;

  static final int LITERAL = 0;
  static final int SHORT_COPY = 1;
  static final int LONG_COPY = 2;

  /** The stored bytes of a {@link #SHORT_COPY} and a {@link #LONG_COPY}. */
  static final int SHORT_COPY_BYTES = 2;

  static final int LONG_COPY_BYTES = 3;

  /** What each tag adds to a position: plain bytes in the upper half, stored bytes in the lower. */
  static final long[] STEP = new long[256];

  /**
   * How to get the offset of a copy minus 1 from the three bytes after its tag. The first 256
   * entries are masks; the next 256 are added to the masked bytes. Literals get 0, which is always
   * in reach.
   */
  static final int[] OFFSET = new int[512];

  /** The index in {@link #OFFSET} of the first number to add. */
  static final int ADDENDS = 256;

  /** The bits of an offset minus 1. An offset of 0 thus becomes larger than any block. */
  static final int OFFSET_MASK = 0x1FFFF;

  /** The largest literal length in a tag, and the largest literal without an extra length. */
  private static final int LARGEST_SHORT_LITERAL = 60;

  /** A literal with more length bytes is larger than any block that is walked. */
  private static final int MOST_LENGTH_BYTES = 2;

  private static final int SHORTEST_SHORT_COPY = 4;

  static {
    for (int tag = 0; tag < STEP.length; tag++) {
      STEP[tag] = SPECIAL;
      int length = plainBytes(tag);
      switch (tag & KIND_MASK) {
        case LITERAL -> {
          if (length <= LARGEST_SHORT_LITERAL) {
            STEP[tag] = position(length, 1 + length);
          }
        }
        case SHORT_COPY -> {
          STEP[tag] = position(length, SHORT_COPY_BYTES);
          OFFSET[tag] = 0xFF;
          OFFSET[tag + ADDENDS] = highOffset(tag) - 1;
        }
        case LONG_COPY -> {
          STEP[tag] = position(length, LONG_COPY_BYTES);
          OFFSET[tag] = 0xFFFF;
          OFFSET[tag + ADDENDS] = -1;
        }
        default -> {} // an offset of four bytes
      }
    }
  }

  private SnappyTags() {}

  /** {@return a position} */
  static long position(int plain, int stored) {
    return ((long) plain << Integer.SIZE) | stored;
  }

  /** {@return the plain bytes of a position} */
  static int plain(long position) {
    return (int) (position >>> Integer.SIZE);
  }

  /** {@return the stored bytes of a position} */
  static int stored(long position) {
    return (int) position;
  }

  /** {@return the plain bytes of a tag without extra length; more than 60 for a special literal} */
  static int plainBytes(int tag) {
    int upper = tag >>> 2;
    return (tag & KIND_MASK) == SHORT_COPY ? (upper & 7) + SHORTEST_SHORT_COPY : upper + 1;
  }

  /** {@return the offset bits in the tag of a {@link #SHORT_COPY}} */
  static int highOffset(int tag) {
    return tag >>> 5 << Byte.SIZE;
  }

  /**
   * {@return the number of bytes with the length of a literal, 0 if the length is in its tag}
   *
   * @param tag the tag of a literal
   */
  static int lengthBytes(int tag) {
    return Math.max(0, plainBytes(tag) - LARGEST_SHORT_LITERAL);
  }

  /**
   * {@return the step over a literal with an extra length, or SPECIAL if it has more than two
   * length bytes, as copies with an offset of four bytes have}
   *
   * @param bytes the array with the tag
   * @param at index of the tag; its length bytes are in the array
   */
  static long specialStep(byte[] bytes, int at) {
    int tag = bytes[at] & 0xFF;
    int lengthBytes = lengthBytes(tag);
    if ((tag & KIND_MASK) != LITERAL || lengthBytes > MOST_LENGTH_BYTES) {
      return SPECIAL;
    }
    int length = longLength(bytes, at + 1, lengthBytes);
    return position(length, 1 + lengthBytes + length);
  }

  /** {@return the length of a literal, from its one or two length bytes} */
  static int longLength(byte[] bytes, int at, int lengthBytes) {
    int low = bytes[at] & 0xFF;
    return (lengthBytes == 1 ? low : low | (bytes[at + 1] & 0xFF) << Byte.SIZE) + 1;
  }

  /**
   * {@return the offset of a copy with an offset of one or two bytes}
   *
   * @param bytes the array with the tag
   * @param at index of the tag
   */
  static int offset(byte[] bytes, int at) {
    int tag = bytes[at] & 0xFF;
    int low = bytes[at + 1] & 0xFF;
    return (tag & KIND_MASK) == SHORT_COPY
        ? highOffset(tag) | low
        : low | (bytes[at + 2] & 0xFF) << Byte.SIZE;
  }
}
