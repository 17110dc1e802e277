// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

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
  private List<Prefix> starts = List.of();
  private @Nullable Prefix last;
  private boolean any = true;

  LastStart() {}

  /** Starts a rule, and forgets what another rule allowed. */
  void begin(List<Prefix> allowed) {
    starts = allowed;
    any = allowed.isEmpty();
    last = null;
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
    Prefix expected = last;
    return (expected != null && expected.matches(array, at, size)) || find(array, at, size);
  }

  private boolean find(byte[] array, int at, int size) {
    Prefix found = Prefix.firstMatch(starts, array, at, size);
    if (found != null) {
      last = found;
    }
    return found != null;
  }
}
