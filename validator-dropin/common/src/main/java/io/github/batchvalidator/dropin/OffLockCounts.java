// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How many appends were only stamped under the partition's lock, and why others were not. */
final class OffLockCounts {
  private final LongAdder stamped = new LongAdder();
  private final Map<OffLockFallback, LongAdder> fallbacks = new EnumMap<>(OffLockFallback.class);

  OffLockCounts() {
    for (OffLockFallback cause : OffLockFallback.values()) {
      fallbacks.put(cause, new LongAdder());
    }
  }

  void addStamped() {
    stamped.increment();
  }

  void add(OffLockFallback cause) {
    Objects.requireNonNull(fallbacks.get(cause)).increment();
  }

  long stamped() {
    return stamped.sum();
  }

  /** {@return fallbacks by the name of their cause; causes that never were are left out} */
  Map<String, Long> fallbacks() {
    Map<String, Long> found = new TreeMap<>();
    fallbacks.forEach(
        (cause, count) -> {
          if (count.sum() > 0) {
            found.put(cause.name(), count.sum());
          }
        });
    return found;
  }
}
