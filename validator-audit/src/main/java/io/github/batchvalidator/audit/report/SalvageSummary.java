// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.List;

/**
 * The copied and the lost parts of a damaged segment.
 *
 * @param file the damaged file
 * @param target the new file, or an empty text if the segment has no sound batch
 * @param keptBatches the number of batches in the new file
 * @param keptBytes the size of the new file
 * @param lostBatches the number of batches that were found but are not sound; bytes that are no
 *     batch may have been more of them
 * @param lostBytes the number of bytes that are not in the new file
 * @param lost the gaps in the new file
 * @param markers the transaction markers that are, or may be, lost with the gaps
 * @param isHeld true if nothing is written because of such markers in the partition
 */
public record SalvageSummary(
    String file,
    String target,
    long keptBatches,
    long keptBytes,
    long lostBatches,
    long lostBytes,
    List<Gap> lost,
    List<LostMarker> markers,
    boolean isHeld) {
  /** The offset after a gap at the end of the segment. */
  public static final long END = Long.MAX_VALUE;

  /**
   * A range of offsets.
   *
   * @param first the first offset
   * @param last the last offset, or {@link #END}
   */
  public record Offsets(long first, long last) {}

  /**
   * Bytes of the damaged file that are not in the new file.
   *
   * @param from the position of the first byte
   * @param to the position after the last byte
   * @param offsets the offsets that may be lost: those that the bytes had or may have had, and that
   *     no sound file of the partition has
   */
  public record Gap(long from, long to, List<Offsets> offsets) {}
}
