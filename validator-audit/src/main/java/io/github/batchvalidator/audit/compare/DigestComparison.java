// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.compare.CopyPart.State;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the digests of all copies of a partition.
 *
 * <p>A range is compared if each copy has the same part of it, so that its first and its last
 * offset are those of the whole range, or the log start and the high watermark are the same in all
 * copies. Damage is reported in any range: it may hide where the log ends.
 */
final class DigestComparison {
  private final String name;
  private final List<Digest> digests;
  private final boolean compacted;
  private final long rangeSize;
  private final Differences differences = new Differences();
  private long first = -1;
  private long end = -1;
  private long batches;
  private long bytes;
  private long incomplete;
  private long incomparable;

  /**
   * Creates a comparison.
   *
   * @param digests those of the copies, with ranges of the same size
   * @param compacted true if the partition is compacted
   */
  DigestComparison(String name, List<Digest> digests, boolean compacted) {
    this.name = name;
    this.digests = digests;
    this.compacted = compacted;
    rangeSize = digests.get(0).rangeSize();
  }

  /** Compares all ranges. */
  PartitionComparison compare() {
    TreeMap<Long, Digest.@Nullable Range[]> ranges = new TreeMap<>();
    for (int i = 0; i < digests.size(); i++) {
      for (Digest.Range range : digests.get(i).ranges()) {
        ranges.computeIfAbsent(range.index(), index -> new Digest.Range[digests.size()])[i] = range;
      }
    }
    ranges.forEach(this::compare);
    return new PartitionComparison(
        name,
        digests.stream().map(Digest::path).toList(),
        first,
        end,
        "",
        "",
        compacted,
        rangeSize,
        batches,
        bytes,
        0,
        incomparable,
        incomplete,
        differences.dropped(),
        QuorumTail.uncommitted(name, differences.end(), end));
  }

  private long from(Digest digest, long index) {
    return Math.max(digest.start(), index * rangeSize);
  }

  private long to(Digest digest, long index) {
    return Math.min(digest.end(), (index + 1) * rangeSize);
  }

  private void compare(long index, Digest.@Nullable Range[] ranges) {
    long from = digests.stream().mapToLong(each -> from(each, index)).min().orElse(0);
    long to = digests.stream().mapToLong(each -> to(each, index)).max().orElse(0);
    long most = 0;
    long size = 0;
    boolean isComplete = from < to;
    boolean isSame = true;
    boolean mayDiffer = false;
    for (int i = 0; i < ranges.length; i++) {
      Digest.Range range = ranges[i];
      isComplete &= from(digests.get(i), index) == from && to(digests.get(i), index) == to;
      isSame &= range != null && ranges[0] != null && range.hasSameBytes(ranges[0]);
      mayDiffer |= compacted && (range == null || range.gaps());
      most = Math.max(most, range == null ? 0 : range.batches());
      size = Math.max(size, range == null ? 0 : range.bytes());
    }
    boolean isDamaged = isDamaged(ranges);
    if (!isComplete) {
      incomplete += most;
      if (isDamaged) {
        differences.add(difference(ranges, from, Math.max(to, from + 1), State.UNKNOWN));
      }
      return;
    }
    first = first < 0 ? from : first;
    end = to;
    batches += most;
    bytes += size;
    if (!isSame && mayDiffer && !isDamaged) {
      incomparable += most;
    } else if (!isSame || isDamaged) {
      differences.add(difference(ranges, from, to, State.MISSING));
    }
  }

  private static boolean isDamaged(Digest.@Nullable Range[] ranges) {
    boolean isDamaged = false;
    for (Digest.Range range : ranges) {
      isDamaged |= range != null && range.damaged();
    }
    return isDamaged;
  }

  /** Returns a difference of a range. A copy without the range has a state for it. */
  private Difference difference(
      Digest.@Nullable Range[] ranges, long from, long to, State without) {
    List<CopyPart> parts = new ArrayList<>();
    List<Digest.Range> contents = new ArrayList<>();
    boolean isDiverged = false;
    for (int i = 0; i < ranges.length; i++) {
      Digest.Range range = ranges[i];
      parts.add(range == null ? CopyPart.without(i, without, null) : part(i, range, contents));
      isDiverged |= range != null && range.maxEpoch() != contents.get(0).maxEpoch();
    }
    boolean isDamaged = isDamaged(ranges);
    isDiverged &= !isDamaged; // the damage hides epochs
    CompareReason reason = CompareReason.COPY_RANGE_DIFFERS;
    String text =
        isDiverged
            ? "the hashes and the leader epochs of the range differ"
            : isDamaged ? "bytes of the range are damaged" : "the hashes of the range differ";
    List<CopyPart> withEpochs = new ArrayList<>();
    for (CopyPart part : parts) {
      int epoch = LeaderEpochs.epochAt(digests.get(part.copy()).epochs(), to - 1);
      withEpochs.add(isDiverged ? part.withCheckpointEpoch(epoch) : part);
    }
    return new Difference(reason, reason.describe(text), from, to - 1, 1, true, withEpochs);
  }

  /** Returns what a copy has: the number of its content, and the highest leader epoch. */
  private static CopyPart part(int copy, Digest.Range range, List<Digest.Range> contents) {
    int content = 0;
    for (int i = 0; i < contents.size() && content == 0; i++) {
      content = contents.get(i).hasSameBytes(range) ? i + 1 : 0;
    }
    if (content == 0) {
      contents.add(range);
      content = contents.size();
    }
    State state = range.damaged() ? State.DAMAGED : State.SOUND;
    return new CopyPart(copy, state, content, "", Fault.UNKNOWN, range.maxEpoch(), -1, null);
  }
}
