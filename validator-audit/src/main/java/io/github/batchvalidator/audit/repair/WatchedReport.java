// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import java.util.List;

/** A report that also tells each copy what is found in its files. */
final class WatchedReport implements Report {
  private final Report report;
  private final List<Copy> copies;

  WatchedReport(Report report, List<Copy> copies) {
    this.report = report;
    this.copies = copies;
  }

  @Override
  public void fault(String file, Fault fault) {
    copies.stream().filter(copy -> isOf(copy, file)).forEach(copy -> copy.fault(file, fault));
    report.fault(file, fault);
  }

  private static boolean isOf(Copy copy, String file) {
    String directory = copy.partition().name();
    boolean isBelow = file.startsWith(directory) && file.length() > directory.length();
    return file.equals(directory) || (isBelow && isSlash(file.charAt(directory.length())));
  }

  private static boolean isSlash(char next) {
    return next == '/' || next == '\\';
  }

  @Override
  public void error(String file, String message) {
    copies.stream().filter(copy -> isOf(copy, file)).forEach(copy -> copy.error(file));
    report.error(file, message);
  }

  @Override
  public void file(FileSummary file) {
    report.file(file);
  }

  @Override
  public void partition(PartitionSummary partition) {
    for (Copy copy : copies) {
      if (partition.compacted() && partition.name().equals(copy.partition().name())) {
        copy.compacted(true);
      }
    }
    report.partition(partition);
  }

  @Override
  public void repair(RepairSummary repaired) {
    report.repair(repaired);
  }

  @Override
  public void summary(RunSummary run) {
    report.summary(run);
  }
}
