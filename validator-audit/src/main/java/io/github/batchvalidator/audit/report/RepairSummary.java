// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;
import java.util.List;

/**
 * What became of the repair of a partition.
 *
 * @param target the new directory, or an empty text if none was written
 * @param sources the copies
 * @param firstOffset the first offset, or -1 without batches
 * @param lastOffset the last offset, or -1 without batches
 * @param segments the number of segments
 * @param batches the number of batches
 * @param bytes the size of all segments
 * @param compacted true if the partition was repaired as a compacted one
 * @param problems what prevents the repair, or was accepted
 * @param moreProblems the number of problems that are not listed
 * @param notes how fields were decided that no checksum covers
 * @param checkpoints the entries for the checkpoint files of the log directory, one a line
 */
public record RepairSummary(
    String target,
    List<Source> sources,
    long firstOffset,
    long lastOffset,
    long segments,
    long batches,
    long bytes,
    boolean compacted,
    List<Problem> problems,
    long moreProblems,
    List<String> notes,
    List<String> checkpoints)
    implements Serializable {
  /** Sentinel: there is no last offset. */
  public static final long END = SalvageSummary.END;

  /**
   * A copy.
   *
   * @param name its path
   * @param faults the number of its faults
   * @param batches the number of batches that were taken from it
   * @param bytes their size
   */
  public record Source(String name, long faults, long batches, long bytes)
      implements Serializable {}

  /** The subject of a problem. */
  public enum Kind {
    /** No copy has the offsets. */
    MISSING,
    /** Sound copies differ. */
    DIFFERENT,
    /** The marker of a transaction may be lost. */
    MARKER,
    /** Compaction or damage may have removed batches of a copy. */
    COMPACTION
  }

  /**
   * What prevents a repair.
   *
   * @param firstOffset the first offset that is concerned
   * @param lastOffset the last one, or {@link #END}
   * @param message a sentence
   * @param accepted true if an option accepted it
   */
  public record Problem(
      Kind kind, long firstOffset, long lastOffset, String message, boolean accepted)
      implements Serializable {}
}
