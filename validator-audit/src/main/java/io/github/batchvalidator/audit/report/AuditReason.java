// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

/** A reason for a fault that concerns more than one batch. */
public sealed interface AuditReason
    permits SegmentReason, PartitionReason, TieredReason, CompareReason {
  /** Returns the stable id. */
  String name();

  /** Returns a sentence that describes the fault. */
  String describe(Object... operands);
}
