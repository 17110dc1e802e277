// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.salvage.SalvagePlan;
import io.github.batchvalidator.audit.source.FileSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The salvage of all damaged segments of a run. New files that do not check clean are deleted. */
public final class SalvageRun {
  private final Salvage salvage;
  private final Settings settings;

  /**
   * Creates a salvage.
   *
   * @param salvage writes the new files
   * @param settings the settings of the run
   */
  public SalvageRun(Salvage salvage, Settings settings) {
    this.salvage = salvage;
    this.settings = settings;
  }

  /**
   * Salvages the segments that a run has planned to salvage.
   *
   * @param merge has the plans, and receives the results and the errors
   */
  public void run(SliceMerge merge) throws InterruptedException {
    for (SalvagePlan plan : merge.plans()) {
      try {
        SalvageSummary summary = salvage.write(plan);
        verify(summary.target());
        merge.salvaged(summary);
      } catch (IOException e) {
        merge.error(plan.segment().name(), "not salvaged: " + Messages.of(e));
      }
    }
  }

  private void verify(String target) throws IOException, InterruptedException {
    if (target.isEmpty()) {
      return;
    }
    Path path = Path.of(target);
    SliceMerge merge = new SliceMerge(new Nobody(), false);
    new CheckRun(settings, List.of(new FileSegment(path)), merge, bytes -> {}).run();
    RunSummary run = merge.end(0, false);
    if (run.errors() > 0 || run.tally().faults() > 0) {
      Files.delete(path);
      throw new IOException(
          "the new file was not clean and is deleted; the input may have changed");
    }
  }

  /** A report that nobody reads. */
  private static final class Nobody implements Report {
    @Override
    public void fault(String file, Fault fault) {}

    @Override
    public void error(String file, String message) {}

    @Override
    public void file(FileSummary file) {}

    @Override
    public void partition(PartitionSummary partition) {}

    @Override
    public void summary(RunSummary run) {}
  }
}
