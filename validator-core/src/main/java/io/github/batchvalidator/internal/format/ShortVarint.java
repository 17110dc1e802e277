// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

/**
 * Zig-zag varints of few bytes, out of a word that was read as a whole: the hot path of the scan.
 * The varint is at the low end of the word, its first byte the lowest.
 */
public final class ShortVarint {
  /** The longest that counts as short: what fits, a number of up to 20 bits and its sign. */
  public static final int MAX_BYTES = 3;

  private ShortVarint() {}

  /**
   * Returns the length of a varint that has at most {@link #MAX_BYTES}.
   *
   * @return 1, 2 or 3, or 4 for any longer one
   * @param word holds the varint
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
   * Returns whether a varint has one byte.
   *
   * @return true if its first byte is its last
   * @param word holds the varint
   */
  public static boolean isOneByte(long word) {
    return (word & 0x80) == 0;
  }

  /**
   * Decodes a varint.
   *
   * @param word holds it
   * @param length 1 to {@link #MAX_BYTES}, as told by {@link #length}; else the result means
   *     nothing
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
   * {@return the number that an unsigned one stands for: 0, -1, 1, -2 and so on}
   *
   * @param raw any
   */
  public static int zigZag(int raw) {
    return raw >>> 1 ^ -(raw & 1);
  }

  /**
   * {@return whether a number that is not negative fits in fewer bytes than it takes}
   *
   * @param number as it was decoded
   * @param length how many bytes it takes, up to {@link #MAX_BYTES}
   */
  public static boolean isOverlong(int number, int length) {
    return ((number << 1) | 1) >>> ((Byte.SIZE - 1) * (length - 1)) == 0;
  }
}
