// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.util.List;

/** A receiver of the results, in the order of the partitions. Called by one thread at a time. */
public interface CompareReport {
  /** Reports the result for a partition that has at least two copies. */
  void partition(PartitionComparison result);

  /** Reports a partition that only one of the paths has. */
  void single(String partition, String copy);

  /** Reports why a file or directory could not be read, or not to its end. */
  void error(String file, String message);

  /** Ends the report. */
  void summary(Summary run);

  /**
   * The results for all partitions together.
   *
   * @param partitions the number of partitions that were compared
   * @param differing the number of those with differences
   * @param singles the names of partitions that only one of the paths has
   * @param differences the number of differences
   * @param batches the number of batches that were compared
   * @param bytes the number of bytes that were read, of all copies
   * @param errors the number of files and directories that could not be read
   * @param nanos the duration in nanoseconds
   */
  record Summary(
      long partitions,
      long differing,
      List<String> singles,
      long differences,
      long batches,
      long bytes,
      long errors,
      long nanos) {
    /** Returns why nothing was compared, or an empty text. */
    public String problem() {
      if (partitions > 0) {
        return "";
      }
      String what = singles.isEmpty() ? "no partition" : "only one copy of each partition";
      return "nothing to compare: " + what + " was found";
    }
  }
}
