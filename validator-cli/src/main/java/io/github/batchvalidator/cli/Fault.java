// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Verdict;
import java.util.Locale;

/**
 * One thing that is wrong with a segment, or that is told although it is not.
 *
 * @param reason the stable id: a core {@code Reason} or a {@link SegmentReason}
 * @param message a sentence with the operands
 * @param position byte in the file of the batch at fault; of a tail, what to truncate to
 * @param offset the base offset field of that batch, or {@link #UNKNOWN}
 * @param at byte in the file where the fault was found, or {@link #UNKNOWN}
 * @param recordIndex index in the batch of the record at fault, or {@link #UNKNOWN}
 * @param failedRecords how many records of the batch failed a rule of their own; not all of them
 *     have a fault of their own
 * @param told true for what level STRICT would refuse, when observing
 * @param resumeAt byte in the file where the check goes on behind skipped bytes, or {@link
 *     #UNKNOWN}
 * @param skippedBytes how many bytes from {@code position} on are passed over, or 0
 */
record Fault(
    String reason,
    String message,
    long position,
    long offset,
    long at,
    long recordIndex,
    int failedRecords,
    boolean told,
    long resumeAt,
    long skippedBytes) {
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final String PAGE = "docs/rules.md#";

  /** Returns where the rule is explained. */
  String page() {
    return PAGE + reason.toLowerCase(Locale.ROOT);
  }

  /** Returns a fault of the segment. */
  static Fault of(SegmentReason reason, long position, long offset, Object... operands) {
    String message = reason.describe(operands);
    return new Fault(
        reason.name(), message, position, offset, UNKNOWN, UNKNOWN, 0, false, UNKNOWN, 0);
  }

  /**
   * Returns a fault of the segment behind which bytes are passed over.
   *
   * @param resumeAt where the next intact batch starts, or {@link #UNKNOWN} if none is left
   */
  static Fault skipping(
      SegmentReason reason,
      String why,
      long position,
      long offset,
      long resumeAt,
      long skippedBytes) {
    String message = reason.describe(why, resumeAt == UNKNOWN ? position : resumeAt, skippedBytes);
    return new Fault(
        reason.name(),
        message,
        position,
        offset,
        UNKNOWN,
        UNKNOWN,
        0,
        false,
        resumeAt,
        skippedBytes);
  }

  /** Returns the fault that decided a verdict. */
  static Fault of(Verdict verdict, long position, long offset) {
    long index = verdict.recordIndex() == Verdict.NO_RECORD ? UNKNOWN : verdict.recordIndex();
    long at = position + verdict.position();
    return new Fault(
        String.valueOf(verdict.reason()),
        verdict.describe(),
        position,
        offset,
        at,
        index,
        0,
        false,
        UNKNOWN,
        0);
  }

  /** Returns the i-th fault of a single record that a verdict remembers. */
  static Fault ofRecord(Verdict verdict, int i, long position, long offset) {
    long before = verdict.failurePlainPosition(i) - verdict.plainPosition();
    long fromDeciding = verdict.codec() == Codec.NONE ? before : 0;
    return new Fault(
        verdict.failureReason(i).name(),
        verdict.describeFailure(i),
        position,
        offset,
        position + verdict.position() + fromDeciding,
        verdict.failureIndex(i),
        verdict.failureTotal(),
        false,
        UNKNOWN,
        0);
  }

  /** Returns the fault that is the i-th finding of a verdict. */
  static Fault ofFinding(Findings found, int i, boolean told, long position, long offset) {
    boolean ofRecord = found.recordIndex(i) != Verdict.NO_RECORD;
    return new Fault(
        found.reason(i).name(),
        found.describe(i),
        position,
        offset,
        position + found.position(i),
        ofRecord ? found.recordIndex(i) : UNKNOWN,
        ofRecord ? (int) found.total(i) : 0,
        told,
        UNKNOWN,
        0);
  }
}
