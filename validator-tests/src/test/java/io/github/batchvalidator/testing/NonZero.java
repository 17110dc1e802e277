// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.Histogram;
import java.util.Map;
import java.util.TreeMap;

/** All counters with their names, so that a test sees those too that should not have moved. */
public final class NonZero {
  private final Map<String, Long> found = new TreeMap<>();

  private NonZero(Counts counts) {
    add("accepted", counts.accepted());
    add("refused", counts.refused());
    add("refused UNKNOWN", counts.refusedOf(null));
    for (Codec codec : Codec.values()) {
      add("accepted " + codec, counts.accepted(codec));
      add("refused " + codec, counts.refusedOf(codec));
    }
    for (Reason reason : Reason.values()) {
      add("refused " + reason, counts.refused(reason));
      add("found " + reason, counts.found(reason));
    }
    for (RebuildCause cause : RebuildCause.values()) {
      add("rebuilt " + cause, counts.rebuilt(cause));
    }
    addAll("plain ", counts.plainBytes());
    addAll("ratio ", counts.ratio());
  }

  /** Returns the counters that are not 0. */
  public static Map<String, Long> of(Counts counts) {
    return new NonZero(counts).found;
  }

  /** Returns by how much counters have moved, without those that have not. */
  public static Map<String, Long> moved(Counts before, Counts after) {
    Map<String, Long> moved = new TreeMap<>(of(after));
    of(before).forEach((name, count) -> moved.merge(name, -count, Long::sum));
    moved.values().removeIf(count -> count == 0);
    return moved;
  }

  private void addAll(String name, Histogram histogram) {
    for (int i = 0; i < histogram.buckets(); i++) {
      add(name + histogram.upperBound(i), histogram.count(i));
    }
  }

  private void add(String name, long count) {
    if (count != 0) {
      found.put(name, count);
    }
  }
}
