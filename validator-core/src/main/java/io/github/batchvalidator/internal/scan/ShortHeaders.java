// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * A reader of headers that are completely in an array and whose lengths have one or two bytes, as
 * nearly all headers do. It skips them several times as fast as {@link AnyRecordWalk}, which reads
 * number by number. The difference matters because a record can have millions of headers.
 *
 * <p>Static, without state, never allocates.
 */
final class ShortHeaders {
  /** Sentinel: greater than any valid position. */
  static final int NOT_SHORT = Integer.MAX_VALUE;

  /** The size of a header without bytes in key and value. */
  private static final int EMPTY_HEADER_BYTES = 2;

  /** The bits that mark the first byte of a longer or negative number. */
  private static final int MORE_OR_NEGATIVE = 0x81;

  private ShortHeaders() {}

  /** {@return true if a number has one byte and is not negative} */
  static boolean isShortCount(byte first) {
    return (first & MORE_OR_NEGATIVE) == 0;
  }

  /**
   * Skips headers. The result may exceed the end.
   *
   * @param bytes contains the headers
   * @param from index of the first header
   * @param end index after the record
   * @param count the number of headers
   * @param regular true if headers that Kafka would write differently are not short
   * @return index after the last header
   */
  static int skip(byte[] bytes, int from, int end, int count, boolean regular) {
    int at = from;
    for (int i = 0; i < count; i++) {
      at = skipHeader(bytes, at, end, regular);
    }
    return at;
  }

  /**
   * Skips the headers of a window up to the first one that is not short.
   *
   * @param window is at a header
   * @param from index of that header in the record
   * @param count the number of headers of the record
   * @param most plain position after which no header may end
   * @param regular as for {@link #skip}
   * @return index of the first header that was not skipped
   */
  static int skip(ByteWindow window, int from, int count, long most, boolean regular) {
    byte[] bytes = window.array();
    int at = window.position();
    long left = Math.min(window.available(), most - window.plainPosition());
    if (left < 0) { // the record, or what its headers may take, has ended
      return from;
    }
    int end = at + (int) left;
    int header = from;
    while (header < count) {
      int next =
          isEmptyHeader(bytes, at, end)
              ? at + EMPTY_HEADER_BYTES
              : skipHeader(bytes, at, end, regular);
      if (end - next < 0) {
        break;
      }
      at = next;
      header++;
    }
    window.position(at);
    return header;
  }

  /**
   * {@return true if key and value of a header are empty, or the value is null} The processor
   * guesses this, and then does not wait for two sizes before it looks at the next header.
   */
  private static boolean isEmptyHeader(byte[] bytes, int at, int end) {
    return end - at >= EMPTY_HEADER_BYTES && bytes[at] == 0 && bytes[at + 1] >>> 1 == 0;
  }

  /** Skips a header. The result may exceed the end. */
  private static int skipHeader(byte[] bytes, int from, int end, boolean regular) {
    int at = skipField(bytes, from, end, 0, regular);
    if (regular && (end - at < 0 || !RecordEncoding.isRegularKey(bytes, from, at))) {
      return NOT_SHORT;
    }
    return skipField(bytes, at, end, RecordLayout.NULL_LENGTH, regular);
  }

  /**
   * Skips the key or value of a header: a length and the bytes it counts.
   *
   * @param bytes contains the field
   * @param from index of its length
   * @param end index after the record
   * @param least the smallest length
   * @param regular as for {@link #skip}
   * @return index after the field, which may exceed the end
   */
  static int skipField(byte[] bytes, int from, int end, int least, boolean regular) {
    if (end - from < 1) {
      return NOT_SHORT;
    }
    int word = bytes[from];
    if ((word & MORE_OR_NEGATIVE) == 0) {
      return from + 1 + (word >> 1);
    }
    int length = 1;
    if (word < 0) { // rare; the common case must not wait for a length
      if (end - from < Short.BYTES) {
        return NOT_SHORT;
      }
      word = (word & 0xFF) | (bytes[from + 1] & 0xFF) << Byte.SIZE;
      length = Short.BYTES;
      if (ShortVarint.length(word) > length || (regular && !RecordEncoding.isShortest(word))) {
        return NOT_SHORT;
      }
    }
    int size = ShortVarint.decode(word, length);
    return size < least ? NOT_SHORT : from + length + Math.max(size, 0);
  }
}
