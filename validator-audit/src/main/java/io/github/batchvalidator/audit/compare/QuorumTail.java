// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.MetadataLog;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The end of {@code __cluster_metadata}, of which no broker checkpoints the high watermark. A voter
 * keeps records of an old leader that were never committed, until it fetches from the next leader
 * (KIP-595).
 */
final class QuorumTail {
  private static final String METADATA = MetadataLog.TOPIC + "-0";

  private static final Set<CompareReason> OF_LEADERS =
      EnumSet.of(
          CompareReason.COPY_DIVERGED,
          CompareReason.COPY_BATCH_DIFFERS,
          CompareReason.COPY_OFFSETS_MISSING,
          CompareReason.COPY_RANGE_DIFFERS);

  private QuorumTail() {}

  /**
   * Returns the differences of a partition, those of the tail as uncommitted ones.
   *
   * @param differences in the order of their offsets
   * @param end the offset after the compared ones
   */
  static List<Difference> uncommitted(String partition, List<Difference> differences, long end) {
    if (!partition.equals(METADATA)) {
      return differences;
    }
    int at = start(differences, end);
    List<Difference> all = new ArrayList<>(differences.subList(0, at));
    boolean isTail = false;
    for (Difference each : differences.subList(at, differences.size())) {
      isTail |= hasSeveralEpochs(each);
      all.add(isTail ? each.uncommitted() : each);
    }
    return all;
  }

  /** Returns the index of the first difference after which no offsets are equal. */
  private static int start(List<Difference> differences, long end) {
    long from = end;
    int at = differences.size();
    while (at > 0) {
      Difference each = differences.get(at - 1);
      if (each.committed()) {
        if (isDamaged(each)
            || each.lastOffset() + 1 < from
            || !OF_LEADERS.contains(each.reason())) {
          break;
        }
        from = each.firstOffset();
      }
      at--;
    }
    return at;
  }

  private static boolean isDamaged(Difference difference) {
    return difference.parts().stream().anyMatch(part -> part.state() == CopyPart.State.DAMAGED);
  }

  private static boolean hasSeveralEpochs(Difference difference) {
    return difference.parts().stream()
            .filter(part -> part.state() == CopyPart.State.SOUND)
            .mapToInt(CopyPart::leaderEpoch)
            .distinct()
            .count()
        > 1;
  }
}
