// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.source.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a damaged segment to keep: those with ascending offsets that together are largest.
 *
 * @param segment the damaged segment
 * @param kept the ranges to keep, in file order
 * @param batches the number of all batches of the segment, as far as they were found
 */
public record SalvagePlan(Segment segment, List<SoundRange> kept, long batches) {
  /** A range that ends a chain, the chain before it, and the size of both. */
  private record Chain(SoundRange range, @Nullable Chain before, long bytes) {}

  /**
   * Returns the plan for a segment.
   *
   * @param ranges all sound ranges in file order
   */
  public static SalvagePlan of(Segment segment, List<SoundRange> ranges, long batches) {
    return new SalvagePlan(segment, joined(largest(ranges)), batches);
  }

  /** Returns the largest chain of ranges with ascending offsets. */
  private static Deque<SoundRange> largest(List<SoundRange> ranges) {
    // The largest chain by its last offset. Chains that are not larger than an earlier one are
    // gone.
    TreeMap<Long, Chain> chains = new TreeMap<>();
    for (SoundRange range : ranges) {
      Chain before = value(chains.lowerEntry(range.firstOffset()));
      Chain next = new Chain(range, before, range.bytes() + bytes(before));
      Chain rival = value(chains.floorEntry(range.lastOffset()));
      if (next.bytes() <= bytes(rival)) {
        continue;
      }
      chains.put(range.lastOffset(), next);
      Map.Entry<Long, Chain> above = chains.higherEntry(range.lastOffset());
      while (above != null && above.getValue().bytes() <= next.bytes()) {
        chains.remove(above.getKey());
        above = chains.higherEntry(range.lastOffset());
      }
    }
    Deque<SoundRange> chosen = new ArrayDeque<>();
    Chain chain = value(chains.lastEntry());
    while (chain != null) {
      chosen.addFirst(chain.range());
      chain = chain.before();
    }
    return chosen;
  }

  private static @Nullable Chain value(Map.@Nullable Entry<Long, Chain> entry) {
    return entry == null ? null : entry.getValue();
  }

  private static long bytes(@Nullable Chain chain) {
    return chain == null ? 0 : chain.bytes();
  }

  /** Joins ranges that follow each other without a gap in the file. */
  private static List<SoundRange> joined(Deque<SoundRange> chosen) {
    List<SoundRange> joined = new ArrayList<>();
    for (SoundRange next : chosen) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).to() == next.from()) {
        SoundRange range = joined.get(last);
        joined.set(
            last,
            new SoundRange(
                range.from(),
                next.to(),
                range.firstOffset(),
                next.lastOffset(),
                range.batches() + next.batches()));
      } else {
        joined.add(next);
      }
    }
    return joined;
  }
}
