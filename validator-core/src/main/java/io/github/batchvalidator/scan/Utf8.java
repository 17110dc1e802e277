// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.scan;

/**
 * Tells whether bytes are well-formed UTF-8, and so survive being decoded to a string and encoded
 * again, as Kafka does with the keys of headers. Never allocates.
 */
final class Utf8 {
  private static final int CONTINUATION_BITS = 6;
  private static final int LARGEST = 0x10_FFFF;

  /** The smallest code point that needs so many bytes behind the first one. */
  private static final int[] SMALLEST = {0, 0x80, 0x800, 0x1_0000};

  private Utf8() {}

  /** {@return true if the bytes from one index up to another one are well formed} */
  static boolean isWellFormed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int tail = bytes[at] >= 0 ? 0 : tailLength(bytes[at] & 0xFF);
      if (tail < 0 || at + tail >= to || (tail > 0 && !isSequence(bytes, at, tail))) {
        return false;
      }
      at += 1 + tail;
    }
    return true;
  }

  /** Returns how many bytes have to follow one that is not ASCII, or -1 if it starts nothing. */
  private static int tailLength(int first) {
    if (first >>> 5 == 0b110) {
      return 1;
    }
    if (first >>> 4 == 0b1110) {
      return 2;
    }
    return first >>> 3 == 0b11110 ? 3 : -1;
  }

  private static boolean isSequence(byte[] bytes, int from, int tail) {
    int codePoint = bytes[from] & (0x3F >> tail);
    for (int at = from + 1; at <= from + tail; at++) {
      if ((bytes[at] & 0xC0) != 0x80) {
        return false;
      }
      codePoint = codePoint << CONTINUATION_BITS | (bytes[at] & 0x3F);
    }
    boolean surrogate = codePoint >>> 11 == Character.MIN_SURROGATE >>> 11;
    return codePoint >= SMALLEST[tail] && codePoint <= LARGEST && !surrogate;
  }
}
