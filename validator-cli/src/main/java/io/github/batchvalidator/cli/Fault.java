// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Verdict;

/**
 * One thing that is wrong with a segment.
 *
 * @param reason the stable id: a core {@code Reason} or a {@link SegmentReason}
 * @param message a sentence with the operands
 * @param position byte in the file of the batch at fault; of a tail, what to truncate to
 * @param offset the base offset field of that batch, or {@link #UNKNOWN}
 * @param at byte in the file where the fault was found, or {@link #UNKNOWN}
 * @param recordIndex index in the batch of the record at fault, or {@link #UNKNOWN}
 * @param failedRecords how many records of the batch failed a rule of their own; not all of them
 *     have a fault of their own
 */
record Fault(
    String reason,
    String message,
    long position,
    long offset,
    long at,
    long recordIndex,
    int failedRecords) {
  static final long UNKNOWN = Long.MIN_VALUE;

  /** Returns a fault of the segment. */
  static Fault of(SegmentReason reason, long position, long offset, Object... operands) {
    String message = reason.describe(operands);
    return new Fault(reason.name(), message, position, offset, UNKNOWN, UNKNOWN, 0);
  }

  /** Returns the fault that decided a verdict. */
  static Fault of(Verdict verdict, long position, long offset) {
    long index = verdict.recordIndex() == Verdict.NO_RECORD ? UNKNOWN : verdict.recordIndex();
    long at = position + verdict.position();
    return new Fault(
        String.valueOf(verdict.reason()), verdict.describe(), position, offset, at, index, 0);
  }

  /** Returns the i-th fault of a single record that a verdict remembers. */
  static Fault ofRecord(Verdict verdict, int i, long position, long offset) {
    return new Fault(
        verdict.failureReason(i).name(),
        verdict.describeFailure(i),
        position,
        offset,
        UNKNOWN,
        verdict.failureIndex(i),
        verdict.failureTotal());
  }
}
