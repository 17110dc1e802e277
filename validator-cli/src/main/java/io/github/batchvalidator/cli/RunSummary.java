// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

/**
 * What was found in all files together.
 *
 * @param files how many could be opened
 * @param fileBytes the sum of their sizes
 * @param errors how many files or directories could not be read, or not to their end
 * @param nanos how long it took
 * @param sample true if no path was given
 */
record RunSummary(
    long files, long fileBytes, long errors, long nanos, boolean sample, Tally tally) {

  double seconds() {
    return nanos / 1e9;
  }

  /** Returns plain bytes in units of 1,000,000 per second. */
  double plainMegabytesPerSecond() {
    return nanos == 0 ? 0 : tally.plainBytes() * 1e3 / nanos;
  }
}
