// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * Tells whether bytes are well-formed UTF-8, and so survive being decoded to a string and encoded
 * again, as Kafka does with the keys of headers. The bytes may come in pieces. Never allocates.
 */
final class Utf8 {
  /** The state in front of a character, and so at the end of text that is well formed. */
  static final int WELL_FORMED = 0;

  /** The state from which no bytes lead out. */
  private static final int MALFORMED = -1;

  /** The bits that no byte of ASCII has. */
  private static final long BEYOND_ASCII = 0x8080_8080_8080_8080L;

  private static final int FIRST_CONTINUATION = 0x80;
  private static final int LAST_CONTINUATION = 0xBF;

  private Utf8() {}

  /** {@return true if the bytes from one index up to another one are well formed} */
  static boolean isWellFormed(byte[] bytes, int from, int to) {
    return isAscii(bytes, from, to) || advance(WELL_FORMED, bytes, from, to) == WELL_FORMED;
  }

  /** Nearly all keys of headers are. */
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
   * @param state behind the last piece, {@link #WELL_FORMED} at first
   * @param bytes holds the piece
   * @param from index of its first byte
   * @param to index behind its last byte
   * @return the state behind it
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

  /** What follows the first byte of a character; overlong forms and surrogates have none. */
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

  /** So many bytes are to come, the next one between two values. */
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
