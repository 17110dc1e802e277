// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
import org.jspecify.annotations.Nullable;

/**
 * A check that no offsets are missing and that segments do not overlap.
 *
 * <p>{@link BaseOffsetCheck} has decided which base offsets are wrong. A gap is reported only after
 * the next batch, which may show that two batches are exchanged. {@code
 * SEGMENT_OFFSETS_OUT_OF_ORDER} reports that.
 */
final class OffsetCheck {
  /** How a batch continues the log. */
  enum Continuation {
    /** Its offsets follow the batch before it, or nothing is known about that. */
    NEXT,
    /** Offsets before it are missing. */
    AFTER_GAP,
    /** An earlier batch has its offsets. */
    REPEATED
  }

  private final PartitionFaults faults;
  private String file = "";
  private @Nullable Segment before;
  private @Nullable Segment current;
  private long base;
  private boolean isEmpty;

  /** The offset after the last batch, or below 0 if it is unknown. */
  private long next = StoredBatch.NONE;

  /** The first offset of the gap before the last batch. */
  private long gap = StoredBatch.NONE;

  private @Nullable Fault missing;

  OffsetCheck(PartitionFaults faults) {
    this.faults = faults;
  }

  /** Starts a segment, and returns false if its name overlaps with the segment before it. */
  boolean start(Segment segment) {
    confirmMissing();
    before = current;
    current = segment;
    file = segment.name();
    base = segment.baseOffset();
    isEmpty = true;
    if (next < 0) {
      next = base;
    }
    if (base >= next || segment.upload() != null) { // tiered segments may overlap
      return true;
    }
    if (isReplaced()) {
      interrupted();
      return false;
    }
    faults.add(file, Fault.of(PartitionReason.PARTITION_SEGMENTS_OVERLAP, 0, base, base, next - 1));
    return false;
  }

  /** Takes the next batch. */
  Continuation batch(StoredBatch batch) {
    isEmpty = false;
    long first = batch.baseOffset();
    long size = batch.lastOffset() - first + 1;
    if (batch.recordCount() < size) {
      faults.compacted();
    }
    if (first == gap) {
      missing = null; // two batches are exchanged
    }
    confirmMissing();
    if (next < 0 || first == next) {
      next = batch.lastOffset() + 1;
      return Continuation.NEXT;
    }
    if (first < next) {
      next = Math.max(next, batch.lastOffset() + 1);
      return Continuation.REPEATED;
    }
    missing = Fault.of(PartitionReason.PARTITION_OFFSETS_MISSING, batch, next, first - 1);
    gap = next;
    next = batch.lastOffset() + 1;
    return Continuation.AFTER_GAP;
  }

  /**
   * Takes a batch that an earlier segment has, or that a new leader has replaced. It only shows
   * that the segment is not empty.
   */
  void skipped() {
    isEmpty = false;
  }

  private void confirmMissing() {
    Fault found = missing;
    missing = null;
    if (found != null && !isReplaced()) {
      faults.addUnlessCompacted(file, found);
    }
  }

  /**
   * Returns true if a broker has replaced or deleted the segment or the one before it, so that
   * their offsets are of different times.
   */
  private boolean isReplaced() {
    return isReplaced(before) || isReplaced(current);
  }

  private static boolean isReplaced(@Nullable Segment segment) {
    return segment != null && segment.lookAgain() == Segment.Look.REPLACED;
  }

  /** Says that batches before the next one may be unknown. */
  void interrupted() {
    confirmMissing();
    next = StoredBatch.NONE;
    isEmpty = false;
  }

  /** Ends the segment. */
  void endSegment() {
    confirmMissing();
    if (isEmpty && base > next && !isReplaced()) {
      faults.addUnlessCompacted(
          file, Fault.of(PartitionReason.PARTITION_OFFSETS_MISSING, 0, base, next, base - 1));
      next = base;
    }
  }
}
