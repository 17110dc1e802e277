// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.compare.CopyPart.State;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.BiConsumer;

/** The findings of the comparison of one partition. Confined to one thread. */
final class Findings {
  private final List<CopyFiles> copies;
  private final boolean compacted;
  private final BiConsumer<String, String> errors;
  private final Differences differences = new Differences();
  private boolean showsCompaction;
  private long partialRecords;
  private long incomparableBatches;
  private long uncomparedBatches;

  /**
   * Creates empty findings.
   *
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  Findings(List<CopyFiles> copies, boolean compacted, BiConsumer<String, String> errors) {
    this.copies = copies;
    this.compacted = compacted;
    this.errors = errors;
  }

  /**
   * Takes a place where the copies do not have the same bytes.
   *
   * @param committed true if all copies must have its offsets
   */
  void add(Place place, boolean committed) {
    showsCompaction |= place.showsCompaction();
    incomparableBatches += place.isIncomparable() ? 1 : 0;
    boolean isKnown = place.parts().stream().noneMatch(part -> part.state() == State.UNKNOWN);
    uncomparedBatches += isKnown ? 0 : 1;
    CompareReason reason = place.reason();
    boolean isMissing = reason == CompareReason.COPY_OFFSETS_MISSING;
    if (compacted && (reason == null || isMissing)) {
      partialRecords += place.partialRecords();
    }
    if (reason == null || (compacted && isMissing && mayBeCompacted(place))) {
      return;
    }
    differences.add(
        new Difference(
            reason,
            place.message(reason),
            place.offset(),
            place.end() - 1,
            1,
            committed,
            withEpochs(reason, place)));
  }

  /**
   * Returns false if the cleaner cannot have removed the offsets from the copies that lack them,
   * because it has not come so far and never cleans the last segment.
   */
  private boolean mayBeCompacted(Place place) {
    for (CopyPart part : place.parts()) {
      CopyFiles copy = copies.get(part.copy());
      if (part.state() == State.MISSING && !copy.isUncleaned(place.offset())) {
        return true;
      }
    }
    return false;
  }

  private List<CopyPart> withEpochs(CompareReason reason, Place place) {
    if (reason != CompareReason.COPY_DIVERGED
        && reason != CompareReason.COPY_LEADER_EPOCH_DIFFERS) {
      return place.parts();
    }
    List<CopyPart> parts = new ArrayList<>();
    for (CopyPart part : place.parts()) {
      NavigableMap<Long, Integer> epochs = copies.get(part.copy()).epochs();
      parts.add(part.withCheckpointEpoch(LeaderEpochs.epochAt(epochs, place.offset())));
    }
    return parts;
  }

  /** Takes what was found before a batch, or after the last one, at offsets of no other copy. */
  void trouble(Side side, long done, long offset, Bounds bounds) {
    Trouble trouble = side.cursor().trouble();
    boolean committed = done < bounds.to();
    boolean isEndUnknown = side.files().highWatermark() < 0;
    if (trouble.hasError() && (committed || isEndUnknown)) {
      errors.accept(trouble.errorFile(), trouble.error());
    }
    FileFault fault = trouble.fault();
    boolean isWrite = side.cursor().isEnded() && trouble.isTornTail() && !bounds.isWatermark();
    if (fault == null || isWrite || !committed) {
      return;
    }
    List<CopyPart> parts = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      boolean isDamaged = i == side.index();
      State state = isDamaged ? State.DAMAGED : State.UNKNOWN;
      parts.add(CopyPart.without(i, state, isDamaged ? fault : null));
    }
    CompareReason reason = CompareReason.COPY_DAMAGED;
    String message = reason.describe("1 of " + copies.size() + " copies");
    long last = Math.max(done, offset - 1);
    differences.add(new Difference(reason, message, done, last, 1, true, parts));
  }

  /** Takes offsets that all copies must have and none has. */
  void endMissing(long from, long to) {
    CompareReason reason = CompareReason.COPY_END_MISSING;
    List<CopyPart> parts = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      parts.add(CopyPart.without(i, State.MISSING, null));
    }
    differences.add(new Difference(reason, reason.describe(from), from, to - 1, 1, true, parts));
  }

  /** Ends the comparison, and returns the differences that remain. */
  List<Difference> end() {
    List<Difference> found = differences.end();
    if (!compacted || copies.stream().allMatch(CopyFiles::hasSameLastSegment)) {
      return found;
    }
    return found.stream()
        .filter(each -> each.reason() != CompareReason.COPY_OFFSETS_MISSING)
        .toList();
  }

  long dropped() {
    return differences.dropped();
  }

  /** Returns true if a batch shows that the cleaner has rewritten it. */
  boolean showsCompaction() {
    return showsCompaction;
  }

  /** Returns the number of records that some copies lack, perhaps because of compaction. */
  long partialRecords() {
    return partialRecords;
  }

  /** Returns the number of compacted batches that differ and whose records cannot be compared. */
  long incomparableBatches() {
    return incomparableBatches;
  }

  /** Returns the number of batches that a copy may have in a file that was not read. */
  long uncomparedBatches() {
    return uncomparedBatches;
  }
}
