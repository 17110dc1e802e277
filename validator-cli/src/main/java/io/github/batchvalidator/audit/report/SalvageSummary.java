// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.List;

/**
 * What was copied of a damaged segment, and what was lost.
 *
 * @param file the damaged file
 * @param target the new file, or an empty text if the segment has no sound batch
 * @param keptBatches the number of batches in the new file
 * @param keptBytes the size of the new file
 * @param lostBatches the number of batches that were found but are not sound; bytes that are no
 *     batch may have been more of them
 * @param lostBytes the number of bytes that are not in the new file
 * @param lost the gaps in the new file
 */
public record SalvageSummary(
    String file,
    String target,
    long keptBatches,
    long keptBytes,
    long lostBatches,
    long lostBytes,
    List<Gap> lost) {
  /** The offset after a gap at the end of the segment. */
  public static final long END = Long.MAX_VALUE;

  /**
   * Bytes of the damaged file that are not in the new file.
   *
   * @param from the position of the first byte
   * @param to the position after the last byte
   * @param firstOffset the first offset that may be lost, above the last one if none is
   * @param lastOffset the last offset that may be lost, or {@link #END}
   */
  public record Gap(long from, long to, long firstOffset, long lastOffset) {
    /** Returns true if no offset is missing between the batches around the gap. */
    public boolean hasNoOffsets() {
      return firstOffset > lastOffset;
    }
  }
}
