// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The number of appends that were only stamped under the partition lock, and of the others by
 * cause. Counting never allocates. Safe for all threads.
 */
public final class OffLockCounts {
  /** Unused longs around the counts, which keep their cache line free of other data. */
  private static final int PADDING = 16;

  private static final OffLockFallback[] CAUSES = OffLockFallback.values();
  private static final int STAMPED = PADDING + CAUSES.length;

  private final AtomicLongArray counts = new AtomicLongArray(STAMPED + 1 + PADDING);

  OffLockCounts() {}

  void addStamped() {
    counts.getAndIncrement(STAMPED);
  }

  void add(OffLockFallback cause) {
    counts.getAndIncrement(index(cause));
  }

  @SuppressWarnings("EnumOrdinal") // an index in memory, never stored
  private static int index(OffLockFallback cause) {
    return PADDING + cause.ordinal();
  }

  /** {@return the number of appends that were only stamped under the lock} */
  public long stamped() {
    return counts.get(STAMPED);
  }

  /**
   * {@return the number of appends inspected under the lock, by the names of causes that occurred}
   */
  public Map<String, Long> fallbacks() {
    Map<String, Long> found = new TreeMap<>();
    for (OffLockFallback cause : CAUSES) {
      long count = counts.get(index(cause));
      if (count > 0) {
        found.put(cause.name(), count);
      }
    }
    return found;
  }
}
