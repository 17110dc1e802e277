// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The results of an audit of a tiered storage, by the names of its objects. */
final class TieredAudit implements Report {
  private final List<String> found = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<FileSummary> files = new ArrayList<>();
  private final List<PartitionSummary> partitions = new ArrayList<>();
  private long faults;

  private TieredAudit() {}

  /** Audits a store, and local directories beside it. */
  static TieredAudit of(Path store, Path... local) throws InterruptedException {
    TieredAudit audit = new TieredAudit();
    audit.run(List.of(store), List.of(local), DataKeys.NONE);
    return audit;
  }

  /** Audits a store with encrypted segments. */
  static TieredAudit decrypted(Path store, DataKeys keys) throws InterruptedException {
    TieredAudit audit = new TieredAudit();
    audit.run(List.of(store), List.of(), keys);
    return audit;
  }

  /** Searches directories, in which tiered partitions are found by their names. */
  static TieredAudit search(Path... directories) throws InterruptedException {
    TieredAudit audit = new TieredAudit();
    audit.run(List.of(), List.of(directories), DataKeys.NONE);
    return audit;
  }

  private void run(List<Path> stores, List<Path> directories, DataKeys keys)
      throws InterruptedException {
    SliceMerge merge = new SliceMerge(this, false);
    TieredFiles remote = new TieredFiles(merge::error, keys);
    SegmentFiles files = new SegmentFiles(merge::error, remote::addIfTiered);
    stores.forEach(store -> remote.add(store.toString()));
    directories.forEach(directory -> files.add(directory.toString()));
    List<Segment> segments = new ArrayList<>(remote.segments(files.segments()));
    files.segments().forEach(segments::add);
    RunSummary run = Audited.run(segments, merge);
    if (run.tally().faults() != faults || run.tally().findings() != found.size() - faults) {
      throw new AssertionError(run.tally().faults() + " faults, not " + found);
    }
  }

  @Override
  public void fault(String file, Fault fault) {
    faults += fault.finding() ? 0 : 1;
    String what =
        (fault.finding() ? "finding " : "")
            + fault.reason()
            + " "
            + Path.of(file).getFileName()
            + "@"
            + fault.position();
    found.add(what);
    messages.add(what + ": " + fault.message());
  }

  @Override
  public void error(String file, String message) {
    errors.add(Path.of(file).getFileName() + ": " + message);
  }

  @Override
  public void file(FileSummary file) {
    files.add(file);
  }

  @Override
  public void partition(PartitionSummary partition) {
    partitions.add(partition);
  }

  /** Returns {@code [finding] REASON OBJECT@POSITION} of each fault and finding. */
  List<String> found() {
    return found;
  }

  /** Returns faults and findings with their messages. */
  List<String> messages() {
    return messages;
  }

  List<String> errors() {
    return errors;
  }

  List<FileSummary> files() {
    return files;
  }

  List<PartitionSummary> partitions() {
    return partitions;
  }
}
