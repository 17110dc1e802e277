// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;

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
  /** The number of words of eight bytes that are compared at most. */
  private static final int MOST_WORDS = 32;

  private static final int NONE = -1;

  private final int[] offsets = new int[MOST_WORDS];
  private final long[] masks = new long[MOST_WORDS];
  private final long[] words = new long[MOST_WORDS];
  private int wordCount;

  /** The number of headers and the bytes of all of them, in the last record that had to be read. */
  private int count = NONE;

  private int size;

  /** The bytes that have to be in the array from the first header on; more than any array has. */
  private int reach = Integer.MAX_VALUE;

  private boolean shortest;

  LastHeaderShape() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return MOST_WORDS * (Integer.BYTES + 2 * Long.BYTES);
  }

  /** Forgets the shape. */
  void forget() {
    count = NONE;
    reach = Integer.MAX_VALUE;
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
    if (end - from != size
        || headers != count
        || bytes.length - from < reach
        || (strict && !shortest)) {
      return false;
    }
    for (int i = 0; i < wordCount; i++) {
      if ((ByteWindow.peek(bytes, from + offsets[i]) & masks[i]) != words[i]) {
        return false;
      }
    }
    return true;
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
    reach = Integer.MAX_VALUE;
    shortest = strict;
    if (isLikely) {
      keep(bytes, from, end);
    }
  }

  private void keep(byte[] bytes, int from, int end) {
    wordCount = 0;
    int at = from;
    int last = 0;
    while (at < end) {
      int value = BatchRecordWalk.skipShort(bytes, at, end, 0, false);
      int length = bytes[value] < 0 ? Short.BYTES : 1;
      while (at < value + length) {
        if (wordCount == MOST_WORDS || bytes.length - at < Long.BYTES) {
          return;
        }
        last = at - from;
        add(bytes, from, at, value + length - at);
        at += Long.BYTES;
      }
      at = BatchRecordWalk.skipShort(bytes, value, end, BatchRecordWalk.NULL_LENGTH, false);
    }
    reach = last + Long.BYTES;
  }

  private void add(byte[] bytes, int from, int at, int left) {
    long mask = left < Long.BYTES ? (1L << (left * Byte.SIZE)) - 1 : -1;
    offsets[wordCount] = at - from;
    masks[wordCount] = mask;
    words[wordCount] = ByteWindow.peek(bytes, at) & mask;
    wordCount++;
  }
}
