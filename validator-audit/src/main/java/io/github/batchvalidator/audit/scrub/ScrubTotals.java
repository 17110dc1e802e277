// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.Tally;

/** The sums of the checks of a pass. */
final class ScrubTotals {
  private final long startNanos;
  private final Tally tally = new Tally();
  private long files;
  private long fileBytes;
  private long errors;
  private long vanished;

  ScrubTotals(long startNanos) {
    this.startNanos = startNanos;
  }

  void add(RunSummary partition) {
    files += partition.files();
    fileBytes += partition.fileBytes();
    errors += partition.errors();
    vanished += partition.vanished();
    tally.add(partition.tally());
  }

  void error() {
    errors++;
  }

  RunSummary summary(long nowNanos) {
    return new RunSummary(files, fileBytes, errors, vanished, nowNanos - startNanos, false, tally);
  }
}
