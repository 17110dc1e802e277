// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.io.Serializable;
import java.util.List;

/**
 * The result for one partition.
 *
 * @param partition the name of its directories
 * @param copies the paths of the copies
 * @param firstOffset the first offset that was compared
 * @param endOffset the offset after the last one that all copies must have, or -1 if there is none
 * @param firstBound which copy decides the first offset
 * @param endBound which copy decides the end
 * @param compacted true if the partition is compacted
 * @param rangeSize the number of offsets in a range of digests, or 0 if bytes were compared
 * @param batches the number of batches that were compared, in the copy that has most of them
 * @param bytes their size
 * @param partialRecords the number of records of a compacted partition that only some copies have
 * @param incomparableBatches the number of compacted batches that differ and cannot be compared
 * @param uncomparedBatches the number of batches that some copies had in files that were deleted or
 *     could not be read, or in ranges that some digests do not have completely
 * @param droppedDifferences how many more differences there were
 * @param differences the differences, also those that are not committed
 */
public record PartitionComparison(
    String partition,
    List<String> copies,
    long firstOffset,
    long endOffset,
    String firstBound,
    String endBound,
    boolean compacted,
    long rangeSize,
    long batches,
    long bytes,
    long partialRecords,
    long incomparableBatches,
    long uncomparedBatches,
    long droppedDifferences,
    List<Difference> differences)
    implements Serializable {
  /** Returns the number of differences below the bound, which copies must not have. */
  public long faults() {
    return droppedDifferences + differences.stream().filter(Difference::committed).count();
  }
}
