// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import java.io.Serializable;

/** A row of the report, or a part of its end. */
public sealed interface Row extends Serializable {
  /** Reports the row. */
  default void to(Report report) {}

  /** A fault or a finding. */
  record Fault(String file, io.github.batchvalidator.audit.report.Fault fault) implements Row {
    @Override
    public void to(Report report) {
      report.fault(file, fault);
    }
  }

  /** A file that could not be read. */
  record Failure(String file, String message) implements Row {
    @Override
    public void to(Report report) {
      report.error(file, message);
    }
  }

  /** The results of a file. */
  record File(FileSummary summary) implements Row {
    @Override
    public void to(Report report) {
      report.file(summary);
    }
  }

  /** The results of a partition. */
  record Partition(PartitionSummary summary) implements Row {
    @Override
    public void to(Report report) {
      report.partition(summary);
    }
  }

  /** The end of the report. */
  record Summary(RunSummary summary) implements Row {
    @Override
    public void to(Report report) {
      report.summary(summary);
    }
  }

  /**
   * The sums of a merge, which are no row of the report.
   *
   * @param summary the counts
   * @param profiles the profiles of the records
   */
  record Sums(RunSummary summary, Profiles profiles) implements Row {}
}
