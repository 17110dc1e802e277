// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.HeaderKeys;
import java.util.Arrays;

/**
 * The header keys of the last records, by their place in the record. The records of a topic nearly
 * always have the same header keys in the same order. A key that equals the last one at its place
 * needs neither a look-up nor a check of its UTF-8.
 *
 * <p>Never allocates after its creation. Confined to one thread.
 */
final class LastHeaderKeys {
  /** The bit of a key that is not UTF-8. The other bits are those of {@link HeaderKeys}. */
  static final long MALFORMED = Long.MIN_VALUE;

  /** The number of headers of a record whose keys are kept. */
  private static final int HEADERS = 16;

  /** The largest kept key, with its length field of one byte. */
  private static final int ENTRY_BYTES = 64;

  /** Sentinel: greater than the size of any key, so that no key equals it. */
  private static final int EMPTY = Integer.MAX_VALUE;

  private final byte[] entries = new byte[HEADERS * ENTRY_BYTES];
  private final int[] sizes = new int[HEADERS];
  private final long[] bits = new long[HEADERS];
  private HeaderKeys headerKeys;

  LastHeaderKeys(HeaderKeys first) {
    headerKeys = first;
    Arrays.fill(sizes, EMPTY);
  }

  /** Forgets all keys, because other rules name other headers. */
  void forget(HeaderKeys next) {
    headerKeys = next;
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
    int entry = header * ENTRY_BYTES;
    int last = size - Long.BYTES;
    if (last < 0) {
      return bytes.length - from >= Long.BYTES
          && (ByteWindow.peek(bytes, from) ^ ByteWindow.peek(entries, entry)) << (-last * Byte.SIZE)
              == 0;
    }
    for (int at = 0; at < last; at += Long.BYTES) {
      if (ByteWindow.peek(bytes, from + at) != ByteWindow.peek(entries, entry + at)) {
        return false;
      }
    }
    return ByteWindow.peek(bytes, from + last) == ByteWindow.peek(entries, entry + last);
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
    if (header < HEADERS && to - from <= ENTRY_BYTES && keyAt == from + 1) {
      System.arraycopy(bytes, from, entries, header * ENTRY_BYTES, to - from);
      sizes[header] = to - from;
      bits[header] = found;
    }
    return found;
  }

  /** {@return the bit of a key, or 0 if no rule names it} */
  long lookUp(byte[] bytes, int keyAt, int size) {
    int number = headerKeys.numberOf(bytes, keyAt, size);
    return number == HeaderKeys.UNNAMED ? 0 : 1L << number;
  }
}
