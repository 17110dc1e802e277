// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long records took, each from before it was sent until it was acknowledged. */
final class Latencies {
  private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());

  void add(long each) {
    nanos.add(each);
  }

  void addAll(Latencies others) {
    nanos.addAll(List.copyOf(others.nanos));
  }

  int count() {
    return nanos.size();
  }

  /** Returns what so many records of a hundred did not exceed; there has to be one. */
  long micros(int percent) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    int rank = Math.max(1, (sorted.size() * percent + 99) / 100);
    return TimeUnit.NANOSECONDS.toMicros(sorted.get(rank - 1));
  }
}
