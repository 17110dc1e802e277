// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import java.io.PrintWriter;

/** A report that also prints errors on stderr, and hides the progress line while it prints. */
final class ConsoleReport implements Report {
  private final Report report;
  private final Progress progress;
  private final PrintWriter out;
  private final PrintWriter err;

  ConsoleReport(Report report, Progress progress, PrintWriter out, PrintWriter err) {
    this.report = report;
    this.progress = progress;
    this.out = out;
    this.err = err;
  }

  @Override
  public void fault(String file, Fault fault) {
    progress.whileHidden(out, () -> report.fault(file, fault));
  }

  @Override
  public void batch(String file, StoredBatch batch) {
    progress.whileHidden(out, () -> report.batch(file, batch));
  }

  @Override
  public void record(String file, StoredRecord next) {
    progress.whileHidden(out, () -> report.record(file, next));
  }

  @Override
  public void error(String file, String message) {
    progress.whileHidden(
        out,
        () -> {
          report.error(file, message);
          out.flush();
          err.println(Messages.printable("check: " + file + ": " + message));
          err.flush();
        });
  }

  @Override
  public void file(FileSummary file) {
    progress.whileHidden(out, () -> report.file(file));
    out.flush();
  }

  @Override
  public void partition(PartitionSummary partition) {
    progress.whileHidden(out, () -> report.partition(partition));
    out.flush();
  }

  @Override
  public void salvage(SalvageSummary salvaged) {
    progress.whileHidden(out, () -> report.salvage(salvaged));
  }

  @Override
  public void repair(RepairSummary repaired) {
    progress.whileHidden(out, () -> report.repair(repaired));
  }

  @Override
  public boolean isClosed() {
    return out.checkError();
  }

  @Override
  public void summary(RunSummary run) {
    progress.close();
    report.summary(run);
  }
}
