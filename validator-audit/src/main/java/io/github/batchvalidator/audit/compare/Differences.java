// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The differences of a partition. Those of neighboring batches become one. */
final class Differences {
  /** The maximum number of kept differences. Further ones are only counted. */
  private static final int MAX_KEPT = 1000;

  private final List<Difference> kept = new ArrayList<>();
  private @Nullable Difference last;
  private long dropped;

  void add(Difference next) {
    Difference before = last;
    if (before != null && before.isContinuedBy(next)) {
      last = before.with(next);
    } else {
      keepLast();
      last = next;
    }
  }

  private void keepLast() {
    Difference ended = last;
    last = null;
    if (ended != null && kept.size() < MAX_KEPT) {
      kept.add(ended);
    } else if (ended != null) {
      dropped++;
    }
  }

  /** Returns the differences in the order of their offsets. */
  List<Difference> end() {
    keepLast();
    return List.copyOf(kept);
  }

  /** Returns how many more differences there were. */
  long dropped() {
    return dropped;
  }
}
