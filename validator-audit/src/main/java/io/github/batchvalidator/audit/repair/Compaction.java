// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.source.Segment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision whether a partition was compacted.
 *
 * <p>Offsets that are missing between two sound batches were removed by compaction, or lost. They
 * look the same. If another copy has them, taking them could bring deleted keys back, and leaving
 * them out could lose records. So the user decides, unless a file says that the log was compacted.
 */
final class Compaction {
  private final List<Copy> copies;
  private final Problems problems;

  Compaction(List<Copy> copies, Problems problems) {
    this.copies = copies;
    this.problems = problems;
  }

  /** Reports each copy with such a gap. */
  void check() {
    for (Copy copy : copies) {
      if (copy.isTiered()) {
        continue;
      }
      long gap = gapOf(copy);
      Copy owner = gap < 0 ? null : ownerOf(gap, copy);
      if (owner != null) {
        problems.refused(
            Kind.COMPACTION,
            gap,
            gap,
            copy.name()
                + " does not have offset "
                + gap
                + " between two sound batches, "
                + owner.name()
                + " has it; if the topic is compacted, add --compacted, otherwise --not-compacted");
      }
    }
  }

  /** Returns the first offset that is missing between two sound batches, or -1. */
  private static long gapOf(Copy copy) {
    long next = -1; // unknown, so that the name of the segment decides
    List<Run> runs = copy.runs();
    int at = 0;
    for (Segment segment : copy.segments()) {
      long position = 0;
      next = next < 0 ? segment.baseOffset() : next;
      for (; at < runs.size() && runs.get(at).segment() == segment; at++) {
        Run run = runs.get(at);
        if (next >= 0 && run.from() == position && run.first() > next) {
          return next;
        }
        if (run.gap() >= 0) {
          return run.gap();
        }
        position = run.to();
        next = run.last() + 1;
      }
      next = position == segment.size() && segment.isOpened() ? next : -1;
    }
    return -1;
  }

  private @Nullable Copy ownerOf(long offset, Copy without) {
    for (Copy copy : copies) {
      if (copy != without && copy.has(offset)) {
        return copy;
      }
    }
    return null;
  }
}
