// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Codec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A text report: one line per file with its faults below, then a summary.
 *
 * <p>The summary names the documentation of each reason that occurred.
 */
final class TextReport implements Report {
  /**
   * The maximum number of faults in memory. If a file has more, its faults are printed before the
   * line of the file.
   */
  private static final int MAX_KEPT = 10_000;

  private static final int MAX_NAME_WIDTH = 72;

  private final PrintWriter out;
  private final int nameWidth;
  private final List<String> faults = new ArrayList<>();
  private final Map<String, String> pages = new TreeMap<>();
  private boolean streaming;

  /**
   * Creates a report.
   *
   * @param names the names of all files, to align the columns
   */
  TextReport(PrintWriter out, List<String> names) {
    this.out = out;
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    nameWidth = Math.max(1, Math.min(MAX_NAME_WIDTH, longest));
  }

  @Override
  public void fault(String file, Fault fault) {
    if (faults.size() == MAX_KEPT) {
      printFaults();
      streaming = true;
    }
    faults.add(line(file, fault));
    pages.put(fault.reason(), fault.page());
    if (streaming) {
      printFaults();
    }
  }

  private static String line(String file, Fault fault) {
    StringBuilder line = new StringBuilder(fault.finding() ? "  FOUND " : "  FAULT ");
    line.append(file);
    line.append(": byte ").append(fault.position());
    if (fault.offset() != Fault.UNKNOWN) {
      line.append(", offset ").append(fault.offset());
    }
    if (fault.recordIndex() != Fault.UNKNOWN) {
      line.append(", record ").append(fault.recordIndex());
    }
    line.append(": ").append(fault.reason()).append(": ").append(fault.message());
    if (fault.at() != Fault.UNKNOWN && fault.at() != fault.position()) {
      line.append(" (at byte ").append(fault.at()).append(')');
    }
    if (fault.failedRecords() > 0) {
      line.append(" (").append(fault.failedRecords()).append(" such records in the batch)");
    }
    return Messages.printable(line.toString());
  }

  private void printFaults() {
    faults.forEach(out::println);
    faults.clear();
  }

  @Override
  public void error(String file, String message) {
    // ConsoleReport prints errors on stderr for all report formats
  }

  @Override
  public void file(FileSummary file) {
    Tally tally = file.tally();
    out.printf(
        Locale.ROOT,
        "%-" + nameWidth + "s %8d batches %9d records  %-16s  offsets %-19s %10s as %10s %7s  %s%n",
        Messages.printable(file.name()),
        tally.batches(),
        tally.records(),
        codecs(tally),
        range(file),
        Sizes.bytes(tally.plainBytes()),
        Sizes.bytes(tally.storedBytes()),
        ratio(tally),
        state(file));
    printFaults();
    streaming = false;
  }

  private static String state(FileSummary file) {
    Tally tally = file.tally();
    String clean = file.complete() ? "clean" : "no faults in what was read";
    String state = tally.faults() == 0 ? clean : plural(tally.faults(), "fault");
    return (file.complete() ? "" : "NOT READ TO ITS END, ") + state + findings(tally);
  }

  private static String range(FileSummary file) {
    return file.tally().batches() == 0 ? "none" : file.firstOffset() + " to " + file.lastOffset();
  }

  private static String codecs(Tally tally) {
    StringBuilder text = new StringBuilder();
    for (Codec codec : Codec.values()) {
      long batches = tally.batches(codec);
      if (batches > 0) {
        text.append(text.isEmpty() ? "" : ", ")
            .append(codec.name().toLowerCase(Locale.ROOT))
            .append(' ')
            .append(batches);
      }
    }
    return text.isEmpty() ? "no codec" : text.toString();
  }

  private static String ratio(Tally tally) {
    return tally.storedBytes() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.2f:1", (double) tally.plainBytes() / tally.storedBytes());
  }

  @Override
  public void summary(RunSummary run) {
    Tally tally = run.tally();
    if (run.sample()) {
      out.println("This was the sample that ships with the program. Name files or directories to");
      out.println("check them: check [PATH...]");
    }
    out.printf(
        Locale.ROOT,
        "%s, %s (%s), %s (%s), %s of records stored as %s (%s)%n",
        plural(run.files(), "file"),
        batches(tally.batches()),
        codecs(tally),
        plural(tally.records(), "record"),
        batches(tally.controlBatches()).replace(" ", " control "),
        Sizes.bytes(tally.plainBytes()),
        Sizes.bytes(tally.storedBytes()),
        ratio(tally));
    out.printf(
        Locale.ROOT,
        "%s%s, %s; %s of files in %.2f s, %.0f MB/s of plain records%n",
        tally.faults() == 0 ? "no faults" : plural(tally.faults(), "fault"),
        findings(tally),
        run.errors() == 0 ? "no errors" : plural(run.errors(), "error"),
        Sizes.bytes(run.fileBytes()),
        run.seconds(),
        run.plainMegabytesPerSecond());
    pages.forEach((reason, page) -> out.println("  " + reason + " is explained in " + page));
    out.flush();
  }

  private static String findings(Tally tally) {
    return tally.findings() == 0 ? "" : ", " + plural(tally.findings(), "finding");
  }

  private static String batches(long count) {
    return count == 1 ? "1 batch" : count + " batches";
  }

  private static String plural(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
