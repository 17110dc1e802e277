// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many appends were only stamped under the partition's lock, and why others were not. Counting
 * allocates nothing, contended or not. Safe for all threads.
 */
final class OffLockCounts {
  /** Longs before and behind the counts, so that they share no cache line with anything else. */
  private static final int PADDING = 16;

  private static final OffLockFallback[] CAUSES = OffLockFallback.values();
  private static final int STAMPED = PADDING + CAUSES.length;

  private final AtomicLongArray counts = new AtomicLongArray(STAMPED + 1 + PADDING);

  void addStamped() {
    counts.getAndIncrement(STAMPED);
  }

  void add(OffLockFallback cause) {
    counts.getAndIncrement(place(cause));
  }

  @SuppressWarnings("EnumOrdinal") // a place in memory, which nothing outlives
  private static int place(OffLockFallback cause) {
    return PADDING + cause.ordinal();
  }

  long stamped() {
    return counts.get(STAMPED);
  }

  /** {@return fallbacks by the name of their cause; causes that never were are left out} */
  Map<String, Long> fallbacks() {
    Map<String, Long> found = new TreeMap<>();
    for (OffLockFallback cause : CAUSES) {
      long count = counts.get(place(cause));
      if (count > 0) {
        found.put(cause.name(), count);
      }
    }
    return found;
  }
}
