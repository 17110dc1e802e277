// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;

/**
 * The results for all files together.
 *
 * @param files the number of files that could be opened
 * @param fileBytes the total size of these files
 * @param errors the number of files or directories that could not be read, or not to their end
 * @param vanished the number of segments that were deleted or replaced before they were read
 * @param nanos the duration of the run in nanoseconds
 * @param sample true if the sample was checked, because no path was given
 * @param tally the counts of all files
 */
public record RunSummary(
    long files, long fileBytes, long errors, long vanished, long nanos, boolean sample, Tally tally)
    implements Serializable {

  public double seconds() {
    return nanos / 1e9;
  }

  /** Returns the decompressed bytes per second, in units of 1,000,000 bytes. */
  public double plainMegabytesPerSecond() {
    return nanos == 0 ? 0 : tally.plainBytes() * 1e3 / nanos;
  }
}
