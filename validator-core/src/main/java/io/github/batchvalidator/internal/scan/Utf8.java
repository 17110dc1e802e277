// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * A check for well-formed UTF-8. Only well-formed bytes survive being decoded to a string and
 * encoded again, as Kafka does with header keys. The bytes may come in pieces. Never allocates.
 */
final class Utf8 {
  /** The state between characters, and at the end of well-formed text. */
  static final int WELL_FORMED = 0;

  /** The state after a malformed byte, which is final. */
  private static final int MALFORMED = -1;

  /** The high bits of eight bytes, which are 0 in ASCII. */
  private static final long BEYOND_ASCII = 0x8080_8080_8080_8080L;

  private static final int FIRST_CONTINUATION = 0x80;
  private static final int LAST_CONTINUATION = 0xBF;

  private Utf8() {}

  /** {@return true if the bytes from index {@code from} up to {@code to} are well-formed} */
  static boolean isWellFormed(byte[] bytes, int from, int to) {
    return isAscii(bytes, from, to) || advance(WELL_FORMED, bytes, from, to) == WELL_FORMED;
  }

  /** {@return true for ASCII, as nearly all header keys are} */
  private static boolean isAscii(byte[] bytes, int from, int to) {
    int at = from;
    long bits = 0;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      bits |= ByteWindow.peek(bytes, at);
    }
    for (; at < to; at++) {
      bits |= bytes[at];
    }
    return (bits & BEYOND_ASCII) == 0;
  }

  /**
   * Reads the next piece of a text.
   *
   * @param state the state after the last piece, {@link #WELL_FORMED} at first
   * @param bytes contains the piece
   * @param from index of the piece's first byte
   * @param to index after the piece's last byte
   * @return the state after the piece
   */
  static int advance(int state, byte[] bytes, int from, int to) {
    int next = state;
    for (int at = from; at < to; at++) {
      if (bytes[at] < 0 || next != WELL_FORMED) {
        next = next == WELL_FORMED ? begin(bytes[at] & 0xFF) : goOn(next, bytes[at] & 0xFF);
      }
    }
    return next;
  }

  /** {@return the state after a first byte} Overlong forms and surrogates are malformed. */
  private static int begin(int first) {
    if (first >= 0xC2 && first <= 0xDF) {
      return expect(1, FIRST_CONTINUATION, LAST_CONTINUATION);
    }
    if (first >= 0xE0 && first <= 0xEF) {
      return expect(2, first == 0xE0 ? 0xA0 : FIRST_CONTINUATION, first == 0xED ? 0x9F : 0xBF);
    }
    if (first >= 0xF0 && first <= 0xF4) {
      return expect(3, first == 0xF0 ? 0x90 : FIRST_CONTINUATION, first == 0xF4 ? 0x8F : 0xBF);
    }
    return MALFORMED;
  }

  /** {@return the state that expects bytes, the next one from {@code least} to {@code most}} */
  private static int expect(int bytes, int least, int most) {
    return bytes << 16 | most << Byte.SIZE | least;
  }

  private static int goOn(int state, int next) {
    if (state == MALFORMED || next < (state & 0xFF) || next > (state >>> Byte.SIZE & 0xFF)) {
      return MALFORMED;
    }
    int left = (state >>> 16) - 1;
    return left == 0 ? WELL_FORMED : expect(left, FIRST_CONTINUATION, LAST_CONTINUATION);
  }
}
