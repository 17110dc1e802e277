// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;

/**
 * A plan for a copy of batches, which sees the batches of a run in the order of the files.
 *
 * <p>Called by one thread at a time.
 */
public interface BatchPlan {
  /**
   * Takes the next batch of a segment, with its true offsets. Batches whose checksum is wrong are
   * left out.
   *
   * @param isSound false if the batch has a fault of its own
   */
  void batch(Segment segment, StoredBatch batch, boolean isSound);

  /** Takes a fault of a batch or of the framing of the current segment. */
  void fault(Segment segment, Fault fault);

  /**
   * Ends a segment.
   *
   * @param isDamaged true if the segment has faults
   * @param isComplete false if it could not be read to its end
   * @param batches the number of its batches
   */
  void endSegment(Segment segment, boolean isDamaged, boolean isComplete, long batches);
}
