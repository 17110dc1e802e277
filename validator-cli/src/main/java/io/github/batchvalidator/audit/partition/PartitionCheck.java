// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;

/**
 * A check that needs the batches of a partition in their order. {@link PartitionAudit} calls all
 * checks. Confined to one thread at a time.
 */
interface PartitionCheck {
  /** Starts a segment. */
  default void start(Segment segment) {}

  /** Takes the next batch. */
  void batch(StoredBatch batch);

  /** Says that bytes after the last batch could not be read, so that batches may be unknown. */
  default void interrupted() {}

  /** Ends the segment. */
  default void endSegment() {}

  /** Ends the partition. */
  default void end() {}
}
