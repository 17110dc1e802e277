// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import java.util.Arrays;

/**
 * Bytes at some places of an array, to be compared with the bytes at the same places from another
 * index on. Some of them are fixed; {@link #matchFixed} ignores the others.
 *
 * <p>Three words of eight bytes are compared at once, and the first nine without a loop: the JIT
 * adds more instructions to a loop, and to words with a place each, than so few words need. Never
 * allocates after its creation. Confined to one thread.
 */
final class MaskedWords {
  /** The words of a group, which are at neighboring places. */
  private static final int GROUP_WORDS = 3;

  private static final int GROUP_BYTES = GROUP_WORDS * Long.BYTES;

  /** The number of groups that fit. */
  private static final int MOST_GROUPS = 10;

  // The fields of a word, and their number.
  private static final int VALUE = 0;
  private static final int ALL = 1;
  private static final int FIXED = 2;
  private static final int FIELDS = 3;

  private static final int GROUP_FIELDS = GROUP_WORDS * FIELDS;

  private final long[] words = new long[MOST_GROUPS * GROUP_FIELDS];

  /** The place of each group. */
  private final int[] places = new int[MOST_GROUPS];

  private int groups;

  /** The bytes that have to be in the array from the index on: a group at least. */
  private int reach = GROUP_BYTES;

  MaskedWords() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return MOST_GROUPS * (GROUP_FIELDS * Long.BYTES + Integer.BYTES);
  }

  /** Forgets all bytes. */
  void clear() {
    groups = 0;
    reach = GROUP_BYTES;
    places[0] = 0;
    Arrays.fill(words, 0, GROUP_FIELDS, 0); // the first group is always compared
  }

  /**
   * Takes bytes.
   *
   * @param bytes the array
   * @param from the index that other bytes are compared from
   * @param at index of the first byte, at least {@code from}
   * @param fixedTo index after the last fixed byte
   * @param to index after the last byte
   * @return false if there is no room, or if a group would reach beyond the array
   */
  boolean add(byte[] bytes, int from, int at, int fixedTo, int to) {
    int next = at;
    while (next < to) {
      // The last group ends with the bytes if it can, to reach no further than they do.
      int first = Math.max(at, Math.min(next, to - GROUP_BYTES));
      if (groups == MOST_GROUPS || bytes.length - first < GROUP_BYTES) {
        return false;
      }
      places[groups] = first - from;
      for (int i = 0; i < GROUP_WORDS; i++) {
        int wordAt = first + i * Long.BYTES;
        int word = groups * GROUP_FIELDS + i * FIELDS;
        words[word + VALUE] = ByteWindow.peek(bytes, wordAt);
        words[word + ALL] = mask(to - wordAt);
        words[word + FIXED] = mask(fixedTo - wordAt);
      }
      groups++;
      reach = Math.max(reach, first - from + GROUP_BYTES);
      next = first + GROUP_BYTES;
    }
    return true;
  }

  /** {@return the bits of so many bytes of a word} */
  private static long mask(int bytes) {
    if (bytes <= 0) {
      return 0;
    }
    return bytes < Long.BYTES ? (1L << (bytes * Byte.SIZE)) - 1 : -1;
  }

  /**
   * Takes other bytes at the same places.
   *
   * @param bytes the array, which {@link #matchFixed} was true for
   * @param from the index that the places are counted from
   */
  void replace(byte[] bytes, int from) {
    for (int group = 0; group < groups; group++) {
      for (int i = 0; i < GROUP_WORDS; i++) {
        words[group * GROUP_FIELDS + i * FIELDS + VALUE] =
            ByteWindow.peek(bytes, from + places[group] + i * Long.BYTES);
      }
    }
  }

  /**
   * {@return true if all bytes are at the same places of an array}
   *
   * @param bytes the array
   * @param from the index that the places are counted from
   */
  boolean matchAll(byte[] bytes, int from) {
    return match(bytes, from, ALL);
  }

  /** {@return true if all fixed bytes are at the same places of an array} */
  boolean matchFixed(byte[] bytes, int from) {
    return match(bytes, from, FIXED);
  }

  private boolean match(byte[] bytes, int from, int mask) {
    return bytes.length - from >= reach
        && differences(bytes, from, 0, mask) == 0
        && (groups <= 1 || differences(bytes, from, 1, mask) == 0)
        && (groups <= 2 || differences(bytes, from, 2, mask) == 0)
        && (groups <= 3 || matchRest(bytes, from, mask));
  }

  private boolean matchRest(byte[] bytes, int from, int mask) {
    for (int group = 3; group < groups; group++) {
      if (differences(bytes, from, group, mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** {@return 0 if a group is equal} */
  private long differences(byte[] bytes, int from, int group, int mask) {
    int at = from + places[group];
    int word = group * GROUP_FIELDS;
    return difference(bytes, at, word, mask)
        | difference(bytes, at + Long.BYTES, word + FIELDS, mask)
        | difference(bytes, at + 2 * Long.BYTES, word + 2 * FIELDS, mask);
  }

  private long difference(byte[] bytes, int at, int word, int mask) {
    return (ByteWindow.peek(bytes, at) ^ words[word + VALUE]) & words[word + mask];
  }
}
