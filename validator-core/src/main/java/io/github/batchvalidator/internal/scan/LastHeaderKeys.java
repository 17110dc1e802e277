// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Arrays;

/**
 * The header keys of the last records, by their place in the record. The records of a topic nearly
 * always have the same header keys in the same order. A key that equals the last one at its place
 * needs neither a look-up nor a check of its UTF-8.
 *
 * <p>Never allocates after its creation. Confined to one thread.
 */
final class LastHeaderKeys {
  /** The bit of a key that is not UTF-8. The other bits are those of {@link #lookUp}. */
  static final long MALFORMED = Long.MIN_VALUE;

  /** The number of headers of a record whose keys are kept. */
  private static final int HEADERS = 16;

  /** The number of words of eight bytes of a kept key. */
  private static final int WORDS = 4;

  /** The largest kept key, with its length field of one byte. */
  private static final int MOST_BYTES = WORDS * Long.BYTES;

  /** Sentinel: greater than the size of any key, so that no key equals it. */
  private static final int EMPTY = Integer.MAX_VALUE;

  /** The words of each key from its start and up to its end, which may overlap. */
  private final long[] words = new long[HEADERS * WORDS];

  private final int[] sizes = new int[HEADERS];
  private final long[] bits = new long[HEADERS];
  private TopicRules rules = TopicRules.NONE;

  LastHeaderKeys() {
    Arrays.fill(sizes, EMPTY);
  }

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return HEADERS * (WORDS * Long.BYTES + Integer.BYTES + Long.BYTES);
  }

  /** Forgets all keys, because other rules name other headers. */
  void forget(TopicRules next) {
    rules = next;
    Arrays.fill(sizes, EMPTY);
  }

  /**
   * {@return true if the key at a place is the same as in the last record that had one there}
   *
   * @param header the place: the index of the header in its record
   * @param bytes contains the key
   * @param from index of the key's length field
   * @param end index after the record
   */
  boolean isSame(int header, byte[] bytes, int from, int end) {
    if (header >= HEADERS) {
      return false;
    }
    int size = sizes[header];
    if (size > end - from) {
      return false;
    }
    int word = WORDS * header;
    if (size < Long.BYTES) {
      return bytes.length - from >= Long.BYTES
          && ByteWindow.peek(bytes, from) << unused(size) == words[word];
    }
    int last = from + size - Long.BYTES;
    return ByteWindow.peek(bytes, from) == words[word]
        && ByteWindow.peek(bytes, last) == words[word + 3]
        && (size <= 2 * Long.BYTES
            || (ByteWindow.peek(bytes, from + Long.BYTES) == words[word + 1]
                && ByteWindow.peek(bytes, last - Long.BYTES) == words[word + 2]));
  }

  /** {@return the bits of a word that a short key does not fill} */
  private static int unused(int size) {
    return Long.SIZE - size * Byte.SIZE;
  }

  /** {@return the size of the kept key at a place, with its length field} */
  int size(int header) {
    return sizes[header];
  }

  /** {@return the bits of the kept key at a place} */
  long bits(int header) {
    return bits[header];
  }

  /**
   * Looks up a key and keeps it.
   *
   * @param header the place
   * @param bytes contains the key
   * @param from index of the key's length field, which has one or two bytes
   * @param to index after the key
   * @return the bits of the key
   */
  long learn(int header, byte[] bytes, int from, int to) {
    int keyAt = from + (bytes[from] < 0 ? Short.BYTES : 1);
    long named = lookUp(bytes, keyAt, to - keyAt);
    long found = Utf8.isWellFormed(bytes, keyAt, to) ? named : named | MALFORMED;
    int size = to - from;
    if (header < HEADERS
        && keyAt == from + 1
        && size <= MOST_BYTES
        && bytes.length - from >= Long.BYTES) {
      keep(header, bytes, from, size);
      sizes[header] = size;
      bits[header] = found;
    }
    return found;
  }

  private void keep(int header, byte[] bytes, int from, int size) {
    int word = WORDS * header;
    if (size < Long.BYTES) {
      words[word] = ByteWindow.peek(bytes, from) << unused(size);
      return;
    }
    int last = from + size - Long.BYTES;
    words[word] = ByteWindow.peek(bytes, from);
    words[word + 3] = ByteWindow.peek(bytes, last);
    if (size > 2 * Long.BYTES) {
      words[word + 1] = ByteWindow.peek(bytes, from + Long.BYTES);
      words[word + 2] = ByteWindow.peek(bytes, last - Long.BYTES);
    }
  }

  /** {@return the bits of {@link TopicRules#headerBit} and {@link SchemaKeys}} */
  long lookUp(byte[] bytes, int keyAt, int size) {
    long named = rules.headerBit(bytes, keyAt, size);
    return rules.looksAtSchemaHeaders() ? named | SchemaKeys.bitOf(bytes, keyAt, size) : named;
  }
}
