// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.salvage.PartitionPlan;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.salvage.SalvagePlan;
import io.github.batchvalidator.audit.salvage.SoundRange;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The salvage of all damaged segments of a run. */
public final class SalvageRun {
  private final Salvage salvage;
  private final Settings settings;

  /** True to write partitions that lose transaction markers, too. */
  private final boolean losesMarkers;

  public SalvageRun(Salvage salvage, Settings settings, boolean losesMarkers) {
    this.salvage = salvage;
    this.settings = settings;
    this.losesMarkers = losesMarkers;
  }

  /**
   * Salvages the segments that a run has planned to salvage.
   *
   * @param merge has the plans, and receives the results and the errors
   */
  public void run(SliceMerge merge) throws InterruptedException {
    for (PartitionPlan partition : merge.plans()) {
      for (SalvagePlan plan : partition.plans()) {
        run(partition, plan, merge);
      }
    }
  }

  private void run(PartitionPlan partition, SalvagePlan plan, SliceMerge merge)
      throws InterruptedException {
    String file = plan.segment().name();
    boolean isHeld = !losesMarkers && !partition.markers().isEmpty();
    try {
      String target = "";
      if (!isHeld && !plan.kept().isEmpty()) {
        target = salvage.write(plan, this::verify).toString();
      }
      merge.salvaged(summary(partition, plan, target, isHeld));
    } catch (IOException e) {
      merge.error(file, "not salvaged: " + Messages.of(e));
    }
    if (isHeld) {
      merge.error(file, "not salvaged: the partition would lose markers of transactions");
    }
  }

  private static SalvageSummary summary(
      PartitionPlan partition, SalvagePlan plan, String target, boolean isHeld) {
    Segment segment = plan.segment();
    long bytes = 0;
    long batches = 0;
    for (SoundRange range : plan.kept()) {
      bytes += range.bytes();
      batches += range.batches();
    }
    return new SalvageSummary(
        segment.name(),
        target,
        batches,
        bytes,
        plan.batches() - batches,
        segment.size() - bytes,
        plan.gaps(partition.kept()),
        partition.markers().stream().filter(each -> each.file().equals(segment.name())).toList(),
        isHeld);
  }

  private void verify(Path file) throws IOException, InterruptedException {
    SliceMerge merge = new SliceMerge(new Report() {}, false);
    new CheckRun(settings, List.of(new FileSegment(file)), merge, bytes -> {}).run();
    RunSummary run = merge.end(0, false);
    if (run.errors() > 0 || run.tally().faults() > 0) {
      throw new IOException(
          "the new file was not clean and is deleted; the input may have changed");
    }
  }
}
