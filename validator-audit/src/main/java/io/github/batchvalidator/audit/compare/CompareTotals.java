// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.util.ArrayList;
import java.util.List;

/** A report that adds up what it passes on. Used by one thread at a time. */
public final class CompareTotals implements CompareReport {
  private final CompareReport report;
  private final List<String> singles = new ArrayList<>();
  private long partitions;
  private long differing;
  private long differences;
  private long batches;
  private long bytes;
  private long errors;

  public CompareTotals(CompareReport report) {
    this.report = report;
  }

  /** Takes the result for a partition. */
  public void add(CompareResult result) {
    bytes += result.bytes();
    result.to(this);
  }

  @Override
  public void partition(PartitionComparison result) {
    partitions++;
    differences += result.faults();
    differing += result.faults() > 0 ? 1 : 0;
    batches += result.batches();
    report.partition(result);
  }

  @Override
  public void single(String partition, String copy) {
    singles.add(partition);
    report.single(partition, copy);
  }

  @Override
  public void error(String file, String message) {
    errors++;
    report.error(file, message);
  }

  @Override
  public void summary(Summary run) {
    report.summary(run);
  }

  /** Ends the report, and returns its summary. */
  public Summary end(long nanos) {
    Summary summary =
        new Summary(
            partitions,
            differing,
            List.copyOf(singles),
            differences,
            batches,
            bytes,
            errors,
            nanos);
    summary(summary);
    return summary;
  }
}
