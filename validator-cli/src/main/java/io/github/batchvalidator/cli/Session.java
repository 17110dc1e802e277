// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.Listing;
import io.github.batchvalidator.audit.SalvageRun;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.print.ListReport;
import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.repair.Repair;
import io.github.batchvalidator.audit.repair.RepairTarget;
import io.github.batchvalidator.audit.report.CommittedOffsets;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.policy.PolicyFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** One check of the files that a command names, from the search to the exit code. */
final class Session {
  /**
   * The system property that the {@code check} script sets if stderr is a terminal. Java itself
   * cannot detect this.
   */
  static final String STDERR_IS_TERMINAL = "check.stderrIsTerminal";

  /** The system property that the {@code check} script sets if stdout is a terminal. */
  static final String STDOUT_IS_TERMINAL = "check.stdoutIsTerminal";

  /** The system property that the {@code check} script sets to the name it was called by. */
  private static final String COMMAND = "check.command";

  private final FileCommand command;
  private final CommandLine line;
  private final Settings settings;
  private final List<String[]> problems = new ArrayList<>();
  private final TieredFiles remote;
  private final SegmentFiles files;
  private List<Segment> first;
  private boolean sample;
  private boolean json;
  private Listing listing = Listing.NONE;
  private @Nullable Salvage salvage;
  private boolean losesMarkers;
  private @Nullable RecordProfiler profiler;
  private @Nullable Repair repair;
  private @Nullable RepairTarget target;
  private @Nullable CommittedOffsets committed;
  private boolean isCommittedRead;

  /**
   * Searches for the files.
   *
   * @param command names the files, and sets the rules
   */
  Session(FileCommand command) throws PolicyFileException {
    this.command = command;
    line = command.line();
    settings = command.settings();
    remote = command.tiered().files(line, this::problem);
    files = new SegmentFiles(this::problem, remote::addIfTiered);
    command.paths().forEach(files::add);
    first = remote.segments(files.segments());
  }

  /** Returns what a user types to run the program. */
  static String command() {
    return System.getProperty(COMMAND, "java -jar check.jar");
  }

  private void problem(String name, String why) {
    problems.add(new String[] {name, why});
  }

  /** Checks the sample. */
  Session sample() {
    sample = true;
    first = SampleSegment.all();
    return this;
  }

  /** Sets whether to print JSON Lines rather than text. */
  Session json(boolean next) {
    json = next;
    return this;
  }

  /** Sets what to list beside faults. */
  Session listing(Listing next) {
    listing = next;
    return this;
  }

  /**
   * Copies the sound batches of damaged segments.
   *
   * @param next writes the new files
   * @param losesMarks true to write partitions that lose transaction markers, too
   */
  Session salvaging(Salvage next, boolean losesMarks) {
    salvage = next;
    losesMarkers = losesMarks;
    return this;
  }

  /** Checks copies of a partition, and writes a sound one from them. */
  Session repairing(Repair next, RepairTarget into) {
    repair = next;
    target = into;
    first = next.segments();
    return this;
  }

  /** Returns the settings of the run. */
  Settings settings() {
    return settings;
  }

  /** Profiles the records, and prints the profiles after the report. */
  Session profiled(RecordProfiler next) {
    profiler = next;
    return this;
  }

  /** Returns the local segments. Others are below the directories that are named. */
  Stream<Segment> localSegments() {
    return files.segments();
  }

  /** Checks the files, prints the report, and returns the exit code. */
  int run() throws InterruptedException {
    Iterable<Segment> segments = () -> Stream.concat(first.stream(), files.segments()).iterator();
    files.notes().report(command.paths().size(), this::problem, this::printNote);
    boolean terminal = Boolean.getBoolean(STDERR_IS_TERMINAL);
    long bytes = files.bytes() + remote.bytes();
    try (Progress progress = new Progress(line.getErr(), terminal, bytes).start()) {
      Report report = new ConsoleReport(report(), progress, line.getOut(), line.getErr());
      SliceMerge merge = new SliceMerge(watched(report), command.compacted()).listing(listing);
      problems.forEach(problem -> merge.error(problem[0], problem[1]));
      Salvage writer = salvage;
      if (writer != null) {
        merge.salvaging();
      }
      if (repair != null) {
        merge.planning(repair);
      }
      long start = System.nanoTime();
      new CheckRun(settings, segments, merge, progress::add).profiled(profiler).run();
      if (writer != null) {
        new SalvageRun(writer, settings, losesMarkers).run(merge);
      }
      RepairSummary repaired = repair(merge);
      RunSummary summary = merge.end(System.nanoTime() - start, sample);
      RecordProfiler records = profiler;
      if (records != null) {
        records.take().print(line.getOut());
      }
      return exitCode(summary, repaired);
    }
  }

  private Report watched(Report report) {
    Repair work = repair;
    return work == null ? report : work.watch(report);
  }

  /** Repairs the partition, and returns what became of it, or null without an answer. */
  private @Nullable RepairSummary repair(SliceMerge merge) throws InterruptedException {
    Repair work = repair;
    RepairTarget into = target;
    if (work == null || into == null) {
      return null;
    }
    merge.endPartitions();
    try {
      RepairSummary done = work.write(into);
      merge.repaired(done);
      return done;
    } catch (IOException e) {
      merge.error(into.toString(), "not repaired: " + Messages.of(e));
      return null;
    }
  }

  private void printNote(String note) {
    line.getErr().println(Messages.printable("check: " + note));
  }

  private Report report() {
    PrintWriter out = line.getOut();
    if (json) {
      return new JsonReport(out).groups(this::committed);
    }
    Style style = Style.of(Boolean.getBoolean(STDOUT_IS_TERMINAL));
    TextReport text = new TextReport(out, style, command.detail(), command());
    text.groups(this::committed);
    return listing == Listing.NONE ? text : new ListReport(out, style, text.withoutFaults());
  }

  /**
   * Reads the offsets of groups when a fault asks for them first.
   *
   * @return null if they are not in the directories that are named, or cannot be read
   */
  private @Nullable CommittedOffsets committed() {
    if (!isCommittedRead) {
      isCommittedRead = true;
      committed = readCommitted();
    }
    return committed;
  }

  private @Nullable CommittedOffsets readCommitted() {
    List<Segment> segments =
        files
            .segments()
            .filter(
                segment -> {
                  Partition of = segment.partition();
                  return of != null && of.topic().equals(CommittedOffsets.TOPIC);
                })
            .toList();
    if (segments.isEmpty()) {
      return null;
    }
    CommittedOffsets offsets = new CommittedOffsets();
    SliceMerge merge = new SliceMerge(offsets, true).listing(Listing.PAYLOAD);
    Settings alone = Settings.standard(1, settings.rules());
    new CheckRun(alone, segments, merge, bytes -> {}).runHere();
    return offsets;
  }

  private int exitCode(RunSummary run, @Nullable RepairSummary repaired) {
    if (command.isReportLost()) {
      return CheckCommand.IO_ERROR;
    }
    if (repaired != null && !repaired.target().isEmpty()) {
      return CheckCommand.CLEAN;
    }
    if (run.errors() > 0) {
      return CheckCommand.IO_ERROR;
    }
    return repaired != null || run.tally().faults() > 0 ? CheckCommand.FAULTS : CheckCommand.CLEAN;
  }
}
