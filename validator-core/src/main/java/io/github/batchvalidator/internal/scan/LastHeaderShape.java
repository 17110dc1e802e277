// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

/**
 * The headers of the last record without their values: all keys, and the lengths of keys and
 * values. If the next record has the same keys and lengths, its headers start at the same places,
 * and no key has to be looked up.
 *
 * <p>A shape is learned when two records in a row have headers of the same number and size, so that
 * headers that always differ cost two comparisons. Never allocates after its creation. Confined to
 * one thread.
 */
final class LastHeaderShape {
  private static final int NONE = -1;

  private final MaskedWords words = new MaskedWords();

  /** The number of headers and the bytes of all of them, in the last record that had to be read. */
  private int count = NONE;

  private int size;
  private boolean known;
  private boolean shortest;

  LastHeaderShape() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return MaskedWords.heapBytes();
  }

  /** Forgets the shape. */
  void forget() {
    count = NONE;
    known = false;
  }

  /**
   * {@return true if headers have the shape of the last record's}
   *
   * @param bytes contains the headers
   * @param from index of the first header
   * @param end index after the last header
   * @param headers the number of headers
   * @param strict true if numbers have to be in their shortest form
   */
  boolean isSame(byte[] bytes, int from, int end, int headers, boolean strict) {
    return known
        && end - from == size
        && headers == count
        && (shortest || !strict)
        && words.match(bytes, from);
  }

  /**
   * Takes the shape of headers that were read, if the last record's headers had the same number and
   * size.
   *
   * @param bytes contains the headers, whose numbers are short
   * @param from index of the first header
   * @param end index after the last header
   * @param headers the number of headers
   * @param strict true if their numbers are known to be in their shortest form
   */
  void learn(byte[] bytes, int from, int end, int headers, boolean strict) {
    boolean isLikely = headers == count && end - from == size;
    count = headers;
    size = end - from;
    shortest = strict;
    known = isLikely && keep(bytes, from, end);
  }

  private boolean keep(byte[] bytes, int from, int end) {
    words.clear();
    int at = from;
    while (at < end) {
      int value = BatchRecordWalk.skipShort(bytes, at, end, 0, false);
      int length = bytes[value] < 0 ? Short.BYTES : 1;
      if (!words.add(bytes, from, at, value + length)) {
        return false;
      }
      at = BatchRecordWalk.skipShort(bytes, value, end, BatchRecordWalk.NULL_LENGTH, false);
    }
    return true;
  }
}
