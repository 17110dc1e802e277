// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;

/**
 * The headers of the last record without most values: all keys, the lengths of keys and values, and
 * schema ids. If the next record has the same keys and lengths, its headers start at the same
 * places, and no key has to be looked up. If it also has the same ids, and these were allowed, no
 * id has to be looked up.
 *
 * <p>A shape is learned when two records in a row have headers of the same number and size, so that
 * headers that always differ cost two comparisons. Never allocates after its creation. Confined to
 * one thread.
 */
final class LastHeaderShape {
  private static final int NONE = -1;

  /** Each so many allowed records with other ids, the ids are replaced. */
  private static final int OTHERS = 4;

  private final MaskedWords words = new MaskedWords();

  /** The number of headers and the bytes of all of them, in the last record that had to be read. */
  private int count = NONE;

  private int size;

  /** The size if the shape is known, or NONE. */
  private int knownSize = NONE;

  private boolean shortest;

  /** True if the current record has the same ids. */
  private boolean sameIds;

  private boolean idsAllowed;
  private int others;

  LastHeaderShape() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return MaskedWords.heapBytes();
  }

  /** Forgets the shape. */
  void forget() {
    count = NONE;
    knownSize = NONE;
    sameIds = false;
  }

  /** Starts a record whose headers are not compared. */
  void skip() {
    sameIds = false;
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
    boolean isLikely = end - from == knownSize && headers == count && (shortest || !strict);
    sameIds = isLikely && words.matchAll(bytes, from);
    return sameIds || (isLikely && words.matchFixed(bytes, from));
  }

  /** {@return true if the current record has the ids of a record for which they were allowed} */
  boolean hasAllowedIds() {
    return sameIds && idsAllowed;
  }

  /**
   * Notes that the ids of the current record, and nothing else of it, decided that it is allowed.
   *
   * @param bytes contains the headers
   * @param from index of the first header
   */
  void allowIds(byte[] bytes, int from) {
    if (sameIds) {
      idsAllowed = true;
    } else if (knownSize != NONE && ++others == OTHERS) {
      words.replace(bytes, from);
      idsAllowed = true;
      others = 0;
    }
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
   * @param ids where values of schema ids start, counted from the first header; others are negative
   */
  void learn(byte[] bytes, int from, int end, int headers, boolean strict, int[] ids) {
    boolean isLikely = headers == count && end - from == size;
    count = headers;
    size = end - from;
    shortest = strict;
    sameIds = isLikely && keep(bytes, from, end, ids);
    knownSize = sameIds ? size : NONE;
    idsAllowed = false;
  }

  private boolean keep(byte[] bytes, int from, int end, int[] ids) {
    words.clear();
    int at = from;
    while (at < end) {
      int length = ShortHeaders.skipField(bytes, at, end, 0, false);
      int value = length + (bytes[length] < 0 ? Short.BYTES : 1);
      int next = ShortHeaders.skipField(bytes, length, end, RecordLayout.NULL_LENGTH, false);
      if (!words.add(bytes, from, at, value, contains(ids, value - from) ? next : value)) {
        return false;
      }
      at = next;
    }
    return true;
  }

  private static boolean contains(int[] ids, int place) {
    for (int id : ids) {
      if (id == place) {
        return true;
      }
    }
    return false;
  }
}
