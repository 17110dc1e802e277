// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** The results of an audit of a directory. */
final class Audited implements Report {
  /** Small enough that a segment of the tests has several slices. */
  private static final long SLICE_BYTES = 2000;

  private static final int WINDOW_BYTES = 512;
  private static final int MAX_WINDOW_BYTES = 1 << 16;
  private static final int THREADS = 2;

  private final List<String> faults = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<FileSummary> files = new ArrayList<>();
  private final List<PartitionSummary> partitions = new ArrayList<>();
  private long vanished;
  private long findings;

  private Audited() {}

  /** Audits a directory. */
  static Audited of(Path directory) throws InterruptedException {
    return of(directory, false);
  }

  /** Audits a directory as if its files were old. After a new file an audit waits for a writer. */
  static Audited ofOld(Path directory) throws IOException, InterruptedException {
    StoredLog.age(directory);
    return of(directory);
  }

  /**
   * Audits a directory.
   *
   * @param compacted true if all of its partitions are known to be compacted
   */
  static Audited of(Path directory, boolean compacted) throws InterruptedException {
    return of(directory, compacted, bytes -> {}, bytes -> {});
  }

  /**
   * Audits a directory that changes.
   *
   * @param listed is called after the segments are listed
   * @param checked is called when bytes of a segment are checked, before they are compared
   */
  static Audited of(Path directory, boolean compacted, LongConsumer listed, LongConsumer checked)
      throws InterruptedException {
    return of(
        merge -> {
          SegmentFiles files = new SegmentFiles(merge::error);
          files.add(directory.toString());
          List<Segment> segments = files.segments().toList();
          listed.accept(segments.size());
          return segments;
        },
        compacted,
        checked);
  }

  /**
   * Audits segments in slices and windows that are much smaller than usual.
   *
   * @param list returns the segments, and may report errors
   */
  static Audited of(
      Function<SliceMerge, List<Segment>> list, boolean compacted, LongConsumer checked)
      throws InterruptedException {
    Audited audited = new Audited();
    SliceMerge merge = new SliceMerge(audited, compacted);
    RunSummary run = run(list.apply(merge), merge, checked);
    audited.vanished = run.vanished();
    long findings = run.tally().findings();
    if (run.tally().faults() + findings != audited.faults.size() || findings != audited.findings) {
      throw new AssertionError(run.tally().faults() + " faults, not " + audited.faults);
    }
    return audited;
  }

  private static RunSummary run(List<Segment> segments, SliceMerge merge, LongConsumer checked)
      throws InterruptedException {
    new CheckRun(settings(), segments, merge, checked).run();
    return merge.end(0, false);
  }

  /** Returns settings with small slices and windows. */
  static Settings settings() {
    PolicySection section =
        new PolicySection(
            PolicySection.DEFAULT_NAME,
            List.of(),
            Level.KAFKA,
            false,
            Limits.UNBOUNDED_AS_KAFKA,
            TopicRules.NONE);
    return new Settings(
        THREADS, WINDOW_BYTES, MAX_WINDOW_BYTES, SLICE_BYTES, new SegmentRules(null, section));
  }

  @Override
  public void fault(String file, Fault fault) {
    findings += fault.finding() ? 1 : 0;
    String place = Path.of(file).getFileName() + "@" + fault.position();
    String what = (fault.finding() ? "finding " : "") + fault.reason() + " " + place;
    faults.add(what);
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

  /** Returns {@code [finding] REASON FILE@POSITION} of each fault and finding. */
  List<String> faults() {
    return faults;
  }

  /** Returns the faults with their messages. */
  List<String> messages() {
    return messages;
  }

  /** Returns the faults with their messages, one a line. */
  String text() {
    return String.join("\n", messages);
  }

  /** Returns the number of segments that were deleted before they were read. */
  long vanished() {
    return vanished;
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

  /** Returns the only partition. */
  PartitionSummary partition() {
    if (partitions.size() != 1) {
      throw new AssertionError(partitions.toString());
    }
    return partitions.get(0);
  }
}
