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

  /**
   * Takes a batch that is not part of the log, which is reported already: an earlier batch has its
   * offsets, or a new leader has replaced it. Most checks leave it out.
   */
  default void repeated(StoredBatch batch) {}

  /**
   * Says that batches before the next one may be unknown.
   *
   * @param from the position of the first byte in the segment that could not be read
   * @param to the position after the last such byte; {@code from} if offsets are missing
   */
  default void interrupted(long from, long to) {}

  /** Ends the segment. */
  default void endSegment() {}

  /** Ends the partition. */
  default void end() {}
}
