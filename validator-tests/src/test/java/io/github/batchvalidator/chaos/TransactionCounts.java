// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.util.EnumMap;
import java.util.Map;

/** How transactions ended. */
final class TransactionCounts {
  private final Map<Fate, Integer> byFate = new EnumMap<>(Fate.class);

  synchronized void add(Fate fate) {
    byFate.merge(fate, 1, Integer::sum);
  }

  synchronized int of(Fate fate) {
    return byFate.getOrDefault(fate, 0);
  }
}
