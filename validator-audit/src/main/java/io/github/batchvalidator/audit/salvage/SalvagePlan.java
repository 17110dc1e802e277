// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.SalvageSummary.Gap;
import io.github.batchvalidator.audit.source.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a damaged segment to keep: those with ascending offsets that together are largest.
 *
 * @param segment the damaged segment
 * @param kept the ranges to keep, in file order
 * @param dropped the ranges not to keep whose offsets are known, in file order
 * @param batches the number of all batches of the segment, as far as they were found
 * @param nextSegment the base offset of the next segment, or {@link SalvageSummary#END}
 */
public record SalvagePlan(
    Segment segment,
    List<SoundRange> kept,
    List<SoundRange> dropped,
    long batches,
    long nextSegment) {
  /** A range that ends a chain, the chain before it, and the size of both. */
  private record Chain(SoundRange range, @Nullable Chain before, long bytes) {}

  /**
   * Returns the plan for a segment.
   *
   * @param sound all sound ranges in file order
   * @param unsound batches with faults whose offsets are known, in file order
   * @param batches the number of all batches
   * @param nextSegment the base offset of the next segment, or {@link SalvageSummary#END}
   */
  public static SalvagePlan of(
      Segment segment,
      List<SoundRange> sound,
      List<SoundRange> unsound,
      long batches,
      long nextSegment) {
    Deque<SoundRange> kept = largest(sound);
    List<SoundRange> dropped = new ArrayList<>(sound);
    dropped.removeAll(new HashSet<>(kept));
    dropped.addAll(unsound);
    dropped.sort(Comparator.comparingLong(SoundRange::from));
    return new SalvagePlan(segment, joined(kept), dropped, batches, nextSegment);
  }

  /** Returns true if the batch at a position is kept. */
  public boolean keeps(long position) {
    int low = 0;
    int high = kept.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (kept.get(middle).to() <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < kept.size() && kept.get(low).from() <= position;
  }

  /**
   * Returns the bytes that are not kept, with the offsets that are lost.
   *
   * @param offsets the offsets in the sound files of the partition
   */
  public List<Gap> gaps(OffsetSet offsets) {
    List<Gap> gaps = new ArrayList<>();
    long at = 0;
    long offset = segment.baseOffset();
    for (SoundRange range : kept) {
      if (range.from() > at) {
        gaps.add(gap(at, range.from(), offset, range.firstOffset() - 1, offsets));
      }
      at = range.to();
      offset = range.lastOffset() + 1;
    }
    if (at < segment.size()) {
      long end = nextSegment == SalvageSummary.END ? nextSegment : nextSegment - 1;
      gaps.add(gap(at, segment.size(), offset, end, offsets));
    }
    return gaps;
  }

  private Gap gap(long from, long to, long first, long last, OffsetSet offsets) {
    OffsetSet lost = new OffsetSet();
    lost.add(first, last);
    for (SoundRange range : dropped) {
      if (range.from() >= from && range.to() <= to) {
        lost.add(range.firstOffset(), range.lastOffset());
      }
    }
    return new Gap(from, to, lost.without(offsets));
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

  /** Joins ranges that follow each other without a gap, in the file and in offsets. */
  private static List<SoundRange> joined(Deque<SoundRange> chosen) {
    List<SoundRange> joined = new ArrayList<>();
    for (SoundRange next : chosen) {
      int last = joined.size() - 1;
      if (last >= 0 && follows(next, joined.get(last))) {
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

  private static boolean follows(SoundRange next, SoundRange range) {
    return range.to() == next.from() && range.lastOffset() + 1 == next.firstOffset();
  }
}
