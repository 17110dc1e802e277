// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

/**
 * A decoder for zig-zag varints of up to 3 bytes in a 64-bit word, for the hot path of the scan.
 * The first byte of the varint is the lowest byte of the word.
 */
public final class ShortVarint {
  /** The maximum size of a short varint, in bytes: a number of up to 20 bits and its sign. */
  public static final int MAX_BYTES = 3;

  private ShortVarint() {}

  /**
   * {@return the size of a varint in bytes, 1 to 3, or 4 for any longer one}
   *
   * @param word the word with the varint
   */
  public static int length(long word) {
    if (isOneByte(word)) {
      return 1;
    }
    if ((word & 0x8000) == 0) {
      return 2;
    }
    return (word & 0x80_0000) == 0 ? MAX_BYTES : MAX_BYTES + 1;
  }

  /**
   * {@return true if a varint has one byte}
   *
   * @param word the word with the varint
   */
  public static boolean isOneByte(long word) {
    return (word & 0x80) == 0;
  }

  /**
   * Decodes a varint.
   *
   * @param word the word with the varint
   * @param length the result of {@link #length}; the result is undefined above {@link #MAX_BYTES}
   * @return the number
   */
  public static int decode(long word, int length) {
    int low = (int) word & 0x7F;
    if (length == 1) {
      return zigZag(low);
    }
    int two = low | ((int) (word >>> 1) & 0x3F80);
    return zigZag(length == 2 ? two : two | ((int) (word >>> 2) & 0x1F_C000));
  }

  /**
   * {@return the number that a zig-zag code stands for: 0, -1, 1, -2 for 0, 1, 2, 3}
   *
   * @param raw any zig-zag code
   */
  public static int zigZag(int raw) {
    return raw >>> 1 ^ -(raw & 1);
  }

  /**
   * {@return true if a varint takes more bytes than its number needs} Undefined for negative
   * numbers.
   *
   * @param number the decoded number, at least 0
   * @param length the size of the varint in bytes, up to {@link #MAX_BYTES}
   */
  public static boolean isOverlong(int number, int length) {
    return ((number << 1) | 1) >>> ((Byte.SIZE - 1) * (length - 1)) == 0;
  }
}
