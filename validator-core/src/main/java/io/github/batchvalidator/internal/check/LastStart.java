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
  private @Nullable Prefix last;
  private boolean any = true;

  /** The first bytes of the last start, at most eight. */
  private long word;

  private long mask;
  private int bytes = NONE;

  LastStart() {}

  /** Starts a rule, and forgets what another rule allowed. */
  void begin(List<Prefix> allowed) {
    starts = allowed;
    any = allowed.isEmpty();
    last = null;
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

  private boolean isLast(byte[] array, int at, int size) {
    if (size < bytes
        || array.length - at < ByteWindow.PEEK_BYTES
        || (ByteWindow.peek(array, at) & mask) != word) {
      return false;
    }
    Prefix whole = last;
    return whole == null || whole.matches(array, at, size);
  }

  private boolean find(byte[] array, int at, int size) {
    Prefix found = Prefix.firstMatch(starts, array, at, size);
    if (found != null && array.length - at >= ByteWindow.PEEK_BYTES) {
      bytes = found.length();
      boolean isShort = bytes <= ByteWindow.PEEK_BYTES;
      last = isShort ? null : found;
      mask = bytes < ByteWindow.PEEK_BYTES ? (1L << (bytes * Byte.SIZE)) - 1 : -1;
      word = ByteWindow.peek(array, at) & mask;
    }
    return found != null;
  }
}
