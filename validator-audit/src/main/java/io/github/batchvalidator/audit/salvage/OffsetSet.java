// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.report.SalvageSummary.Offsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of offsets, as ranges that neither overlap nor touch. Confined to one thread at a time. */
public final class OffsetSet {
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** Creates an empty set. */
  public OffsetSet() {}

  /** Adds a range, which may be empty: its last offset is below its first one then. */
  public void add(long first, long last) {
    if (last < first) {
      return;
    }
    long from = first;
    long to = last;
    Map.Entry<Long, Long> other = ranges.floorEntry(to == Long.MAX_VALUE ? to : to + 1);
    while (other != null && other.getValue() >= from - 1) {
      from = Math.min(from, other.getKey());
      to = Math.max(to, other.getValue());
      ranges.remove(other.getKey());
      other = ranges.floorEntry(to == Long.MAX_VALUE ? to : to + 1);
    }
    ranges.put(from, to);
  }

  /** Returns true if the set has an offset. */
  public boolean contains(long offset) {
    Map.Entry<Long, Long> range = ranges.floorEntry(offset);
    return range != null && range.getValue() >= offset;
  }

  /** Returns the offsets that are not in another set, in order. */
  public List<Offsets> without(OffsetSet others) {
    List<Offsets> left = new ArrayList<>();
    ranges.forEach(
        (first, last) -> {
          long from = first;
          Map.Entry<Long, Long> other = others.ranges.floorEntry(first);
          if (other == null || other.getValue() < first) {
            other = others.ranges.higherEntry(first);
          }
          while (other != null && other.getKey() <= last && from <= last) {
            if (other.getKey() > from) {
              left.add(new Offsets(from, other.getKey() - 1));
            }
            from = other.getValue() + 1;
            other = others.ranges.higherEntry(other.getKey());
          }
          if (from <= last) {
            left.add(new Offsets(from, last));
          }
        });
    return left;
  }
}
