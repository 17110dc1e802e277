// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.PrintWriter;

/** Tells errors on stderr too, and keeps the report and the progress line apart. */
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
    progress.apart(out, () -> report.fault(file, fault));
  }

  @Override
  public void error(String file, String message) {
    progress.apart(
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
    progress.apart(out, () -> report.file(file));
    out.flush();
  }

  @Override
  public void summary(RunSummary run) {
    progress.close();
    report.summary(run);
  }
}
