// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.CommittedOffsets;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.rule.Codec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A report for people: the verdict first, then the faults by file, then what was checked.
 *
 * <p>All lines that the report composes fit 80 columns. Long file names may not. Errors are not
 * printed: programs print them on stderr.
 */
public class TextReport implements Report {
  /** The number of lines from which on the verdict is repeated at the end. */
  private static final int LONG = 40;

  private final Lines lines;
  private final Style style;
  private final Detail detail;
  private final String command;
  private final FaultList faults;
  private final PartitionList partitions;
  private final List<FileSummary> files = new ArrayList<>();
  private final List<SalvageSummary> salvages = new ArrayList<>();
  private final List<RepairSummary> repairs = new ArrayList<>();
  private NextSteps steps = new NextSteps(() -> null);
  private boolean listed;

  /** How much a report says. */
  public enum Detail {
    /** Only faults. */
    QUIET,
    /** Faults and sums. */
    NORMAL,
    /** Also each fault, each file and each partition. */
    VERBOSE
  }

  /**
   * Creates a report.
   *
   * @param out receives the text
   * @param style colors or none
   * @param detail how much to print
   * @param command starts {@code ./check}; the report says it where it advises {@code --explain}
   */
  public TextReport(PrintWriter out, Style style, Detail detail, String command) {
    lines = new Lines(out);
    this.style = style;
    this.detail = detail;
    this.command = command;
    faults = new FaultList(detail == Detail.VERBOSE);
    partitions = new PartitionList(detail == Detail.VERBOSE);
  }

  /** Names groups in the commands after the faults of a file. */
  public TextReport groups(Supplier<@Nullable CommittedOffsets> offsets) {
    steps = new NextSteps(offsets);
    return this;
  }

  /** Leaves out the faults, because another report lists them. */
  public TextReport withoutFaults() {
    listed = true;
    return this;
  }

  @Override
  public void fault(String file, Fault fault) {
    faults.add(file, fault);
  }

  @Override
  public void file(FileSummary file) {
    if (detail == Detail.VERBOSE || !file.complete()) {
      files.add(file);
    }
  }

  @Override
  public void partition(PartitionSummary partition) {
    partitions.add(partition);
  }

  @Override
  public void salvage(SalvageSummary salvaged) {
    salvages.add(salvaged);
  }

  @Override
  public void repair(RepairSummary repaired) {
    repairs.add(repaired);
  }

  @Override
  public void summary(RunSummary run) {
    if (detail == Detail.QUIET) {
      printFaults();
      printCopies();
      lines.flush();
      return;
    }
    String verdict = verdict(run);
    lines.line(verdict);
    printFaults();
    printCopies();
    printFiles();
    partitions.print(lines, style);
    printSums(run);
    if (lines.count() > LONG) {
      lines.line("");
      lines.line(verdict);
    }
    lines.flush();
  }

  private void printFaults() {
    if (!listed) {
      faults.print(lines, style, steps);
    }
  }

  private void printCopies() {
    salvages.forEach(salvaged -> SalvageText.print(salvaged, lines, style));
    repairs.forEach(repaired -> RepairText.print(repaired, lines, style));
  }

  private String verdict(RunSummary run) {
    Tally tally = run.tally();
    String what =
        String.join(
            ", ",
            plural(run.files(), "file"),
            plural(tally.batches(), "batch"),
            plural(tally.records(), "record"));
    if (tally.faults() > 0) {
      int faulty = faults.faultyFiles();
      String where = faulty == 0 ? "" : " in " + plural(faulty, "file");
      String fault = plural(tally.faults(), "fault") + where;
      return style.bad(fault) + findings(tally) + "; checked " + what;
    }
    if (run.errors() > 0) {
      return style.odd("not complete: " + plural(run.errors(), "error"))
          + findings(tally)
          + "; no faults in what was read: "
          + what;
    }
    return style.good("ok") + findings(tally) + ": " + what;
  }

  private static String findings(Tally tally) {
    return tally.findings() == 0 ? "" : ", " + plural(tally.findings(), "finding");
  }

  private void printFiles() {
    if (files.isEmpty()) {
      return;
    }
    lines.line("");
    files.stream()
        .sorted(Comparator.comparing(file -> file.complete() && file.tally().faults() == 0))
        .forEach(this::printFile);
  }

  private void printFile(FileSummary file) {
    Tally tally = file.tally();
    String state = file.complete() ? style.good("ok") : style.odd("not read to its end");
    if (tally.faults() > 0) {
      state = style.bad(plural(tally.faults(), "fault")) + (file.complete() ? "" : ", " + state);
    }
    lines.line(Messages.printable(file.name()) + ": " + state);
    if (tally.batches() == 0) {
      lines.wrapped(1, "no batches");
      return;
    }
    lines.wrapped(
        1,
        String.join(
            ", ",
            Wording.offsets(file.firstOffset(), file.lastOffset()),
            plural(tally.batches(), "batch"),
            plural(tally.records(), "record")));
  }

  private void printSums(RunSummary run) {
    Tally tally = run.tally();
    lines.line("");
    if (tally.batches() > 0) {
      lines.wrapped(
          0,
          String.format(
              Locale.ROOT,
              "%s of records stored as %s (%s); batches: %s",
              Sizes.bytes(tally.plainBytes()),
              Sizes.bytes(tally.storedBytes()),
              ratio(tally),
              codecs(tally)));
    }
    lines.line(
        String.format(
            Locale.ROOT,
            "%s of files in %.2f s, %.0f MB/s of records",
            Sizes.bytes(run.fileBytes()),
            run.seconds(),
            run.plainMegabytesPerSecond()));
    if (run.vanished() > 0) {
      lines.line(plural(run.vanished(), "segment") + " deleted or replaced during the check");
    }
    for (String reason : faults.reasons()) {
      lines.line(command + " --explain " + reason);
    }
  }

  private static String codecs(Tally tally) {
    StringBuilder text = new StringBuilder();
    for (Codec codec : Codec.values()) {
      long batches = tally.batches(codec);
      if (batches > 0) {
        text.append(text.isEmpty() ? "" : ", ");
        text.append(Wording.name(codec)).append(Wording.FIXED_SPACE).append(batches);
      }
    }
    return text.isEmpty() ? "no codec" : text.toString();
  }

  private static String ratio(Tally tally) {
    return tally.storedBytes() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.2f:1", (double) tally.plainBytes() / tally.storedBytes());
  }
}
