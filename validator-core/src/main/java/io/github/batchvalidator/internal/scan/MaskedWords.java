// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import java.util.Arrays;

/**
 * Bytes at some places of an array, to be compared with the bytes at the same places from another
 * index on. Eight bytes are compared at once. The first words are compared without a loop, three
 * with one branch: the JIT adds more instructions to a loop than so few words need.
 *
 * <p>Never allocates after its creation. Confined to one thread.
 */
final class MaskedWords {
  /** The number of words that fit. */
  private static final int MOST_WORDS = 32;

  // The fields of a word, and their number.
  private static final int OFFSET = 0;
  private static final int MASK = 1;
  private static final int VALUE = 2;
  private static final int FIELDS = 3;

  /** The fields of three words. */
  private static final int THREE = 3 * FIELDS;

  /**
   * Each word in three fields. The first six are always there; a word without a mask is ignored.
   */
  private final long[] words = new long[MOST_WORDS * FIELDS];

  /** The fields that are in use. */
  private int used;

  /** The bytes that have to be in the array from the index on: a word at least. */
  private int reach = Long.BYTES;

  MaskedWords() {}

  /** {@return the heap bytes of the array} */
  static int heapBytes() {
    return MOST_WORDS * FIELDS * Long.BYTES;
  }

  /** Forgets all bytes. */
  void clear() {
    used = 0;
    reach = Long.BYTES;
    Arrays.fill(words, 0, 2 * THREE, 0);
  }

  /**
   * Takes bytes.
   *
   * @param bytes the array
   * @param from the index that other bytes are compared from
   * @param at index of the first byte, at least {@code from}
   * @param to index after the last byte
   * @return false if there is no room, or if a word would reach beyond the array
   */
  boolean add(byte[] bytes, int from, int at, int to) {
    for (int next = at; next < to; next += Long.BYTES) {
      if (used == words.length || bytes.length - next < Long.BYTES) {
        return false;
      }
      int left = to - next;
      long mask = left < Long.BYTES ? (1L << (left * Byte.SIZE)) - 1 : -1;
      int offset = next - from;
      words[used + OFFSET] = offset;
      words[used + MASK] = mask;
      words[used + VALUE] = ByteWindow.peek(bytes, next) & mask;
      used += FIELDS;
      reach = Math.max(reach, offset + Long.BYTES);
    }
    return true;
  }

  /**
   * {@return true if all bytes are at the same places of an array}
   *
   * @param bytes the array
   * @param from the index that the places are counted from
   */
  boolean match(byte[] bytes, int from) {
    return bytes.length - from >= reach
        && differences(bytes, from, 0) == 0
        && (used <= THREE || differences(bytes, from, THREE) == 0)
        && (used <= 2 * THREE || matchRest(bytes, from));
  }

  /** {@return 0 if three words are equal} */
  private long differences(byte[] bytes, int from, int word) {
    return difference(bytes, from, word)
        | difference(bytes, from, word + FIELDS)
        | difference(bytes, from, word + 2 * FIELDS);
  }

  private boolean matchRest(byte[] bytes, int from) {
    for (int word = 2 * THREE; word < used; word += FIELDS) {
      if (difference(bytes, from, word) != 0) {
        return false;
      }
    }
    return true;
  }

  private long difference(byte[] bytes, int from, int word) {
    long found = ByteWindow.peek(bytes, from + (int) words[word + OFFSET]);
    return (found & words[word + MASK]) ^ words[word + VALUE];
  }
}
