// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Prefix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allowed first bytes of keys or values, and those of the last record: nearly always those of
 * the next record, too.
 *
 * <p>Never allocates. Confined to one thread.
 */
final class LastStart {
  /** Sentinel: more bytes than a key or value has. */
  private static final int NONE = Integer.MAX_VALUE;

  private List<Prefix> starts = List.of();
  private boolean any = true;

  /** The first bytes of the last start, at most eight, where the mask has bits. */
  private long word;

  private long mask;

  /** The number of bytes of the last start. */
  private int bytes = NONE;

  /** The last start if it does not fit in the word, or null. */
  private @Nullable Prefix longStart;

  LastStart() {}

  /** Starts a rule, and forgets what another rule allowed. */
  void begin(List<Prefix> allowed) {
    starts = allowed;
    any = allowed.isEmpty();
    longStart = null;
    bytes = NONE;
  }

  /**
   * {@return true if bytes start with allowed bytes}
   *
   * @param array contains the bytes
   * @param at index of the first byte
   * @param size the number of bytes
   */
  boolean allow(byte[] array, int at, int size) {
    if (any) {
      return true;
    }
    return isLast(array, at, size) || find(array, at, size);
  }

  boolean isLast(byte[] array, int at, int size) {
    if (size < bytes
        || array.length - at < ByteWindow.PEEK_BYTES
        || (ByteWindow.peek(array, at) & mask) != word) {
      return false;
    }
    Prefix whole = longStart;
    return whole == null || whole.matches(array, at, size);
  }

  private boolean find(byte[] array, int at, int size) {
    Prefix found = Prefix.firstMatch(starts, array, at, size);
    if (found != null && array.length - at >= ByteWindow.PEEK_BYTES) {
      bytes = found.length();
      longStart = bytes <= ByteWindow.PEEK_BYTES ? null : found;
      mask = bytes < ByteWindow.PEEK_BYTES ? (1L << (bytes * Byte.SIZE)) - 1 : -1;
      word = ByteWindow.peek(array, at) & mask;
    }
    return found != null;
  }

  /** {@return the first four bytes as a big-endian number, with zeros after the last one} */
  static long firstBytes(byte[] array, int at, int size) {
    long bytes = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      int next = i < size ? (array[at + i] & 0xFF) : 0;
      bytes = (bytes << Byte.SIZE) | next;
    }
    return bytes;
  }
}
