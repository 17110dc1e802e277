// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.rule.Codec;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * A report for people: the verdict first, then the faults by file, then what was checked.
 *
 * <p>All lines that the report composes fit 80 columns. Long file names and messages may not.
 *
 * <p>Faults are kept until the end. If there are more than {@value #MAX_KEPT}, the others are only
 * counted.
 */
final class TextReport implements Report {
  /** The maximum number of faults in memory. */
  private static final int MAX_KEPT = 10_000;

  /** The maximum number of partitions that are listed without {@code --verbose}. */
  private static final int MAX_PARTITIONS = 12;

  private static final int COLUMNS = 80;
  private static final int NAME_COLUMNS = 34;
  private static final String INDENT = "  ";

  private final PrintWriter out;
  private final Style style;
  private final Detail detail;
  private final Map<String, List<Fault>> faults = new LinkedHashMap<>();
  private final List<FileSummary> files = new ArrayList<>();
  private final List<PartitionSummary> partitions = new ArrayList<>();
  private final Map<String, TopicRow> topics = new LinkedHashMap<>();
  private final TreeSet<String> reasons = new TreeSet<>();
  private final TreeSet<String> faultyFiles = new TreeSet<>();
  private long kept;
  private long dropped;

  /** How much a report says. */
  enum Detail {
    /** Only faults. */
    QUIET,
    /** Faults and sums. */
    NORMAL,
    /** Also each file and each partition. */
    VERBOSE
  }

  /** The sums of the partitions of a topic. */
  private static final class TopicRow {
    private int partitions;
    private int segments;
    private long faults;
    private long openTransactions;
  }

  /**
   * Creates a report.
   *
   * @param out receives the text
   * @param style colors or none
   * @param detail how much to print
   */
  TextReport(PrintWriter out, Style style, Detail detail) {
    this.out = out;
    this.style = style;
    this.detail = detail;
  }

  @Override
  public void fault(String file, Fault fault) {
    reasons.add(fault.reason());
    if (!fault.finding() && faultyFiles.size() < MAX_KEPT) {
      faultyFiles.add(file);
    }
    if (kept == MAX_KEPT) {
      dropped++;
      return;
    }
    kept++;
    faults.computeIfAbsent(file, name -> new ArrayList<>()).add(fault);
  }

  @Override
  public void error(String file, String message) {
    // ConsoleReport prints errors on stderr for all report formats
  }

  @Override
  public void file(FileSummary file) {
    if (detail == Detail.VERBOSE || !file.complete()) {
      files.add(file);
    }
  }

  @Override
  public void partition(PartitionSummary partition) {
    TopicRow row = topics.computeIfAbsent(partition.topic(), name -> new TopicRow());
    row.partitions++;
    row.segments += partition.segments();
    row.faults += partition.faults();
    row.openTransactions += partition.openTransactions();
    if (detail == Detail.VERBOSE || partitions.size() <= MAX_PARTITIONS) {
      partitions.add(partition);
    }
  }

  @Override
  public void summary(RunSummary run) {
    if (detail != Detail.QUIET) {
      line(verdict(run));
    }
    faults.forEach(this::printFile);
    if (dropped > 0) {
      line(INDENT + style.bad("and " + dropped + " more; --json prints all of them"));
    }
    if (detail != Detail.QUIET) {
      printSums(run);
    }
    out.flush();
  }

  // ---- the verdict

  private String verdict(RunSummary run) {
    Tally tally = run.tally();
    String what =
        plural(run.files(), "file")
            + ", "
            + batches(tally.batches())
            + ", "
            + plural(tally.records(), "record");
    if (tally.faults() > 0) {
      String where = faultyFiles.isEmpty() ? "" : " in " + plural(faultyFiles.size(), "file");
      return style.bad(plural(tally.faults(), "fault") + where) + findings(tally) + "; " + what;
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

  // ---- faults

  private void printFile(String file, List<Fault> found) {
    line("");
    line(style.strong(Messages.printable(file)));
    found.forEach(this::printFault);
  }

  private void printFault(Fault fault) {
    StringBuilder head = new StringBuilder(INDENT);
    head.append(fault.finding() ? style.odd("FOUND ") : style.bad("FAULT "));
    head.append(fault.reason()).append(" at byte ").append(fault.position());
    StoredBatch batch = fault.batch();
    if (batch == null && fault.offset() != Fault.UNKNOWN) {
      head.append(", offset ").append(fault.offset());
    }
    line(head.toString());
    wrapped(message(fault));
    if (batch != null) {
      wrapped(describe(batch));
    }
  }

  private static String message(Fault fault) {
    StringBuilder text = new StringBuilder();
    if (fault.recordIndex() != Fault.UNKNOWN) {
      text.append("record ").append(fault.recordIndex()).append(": ");
    }
    text.append(fault.message());
    if (fault.at() != Fault.UNKNOWN && fault.at() != fault.position()) {
      text.append(" (at byte ").append(fault.at()).append(')');
    }
    if (fault.failedRecords() > 1) {
      text.append(" (").append(fault.failedRecords()).append(" such records in the batch)");
    }
    return text.toString();
  }

  /** Returns what the header of a batch says. */
  static String describe(StoredBatch batch) {
    StringBuilder text = new StringBuilder();
    text.append("offsets ").append(batch.baseOffset()).append(" to ").append(batch.lastOffset());
    text.append(", ").append(plural(batch.recordCount(), "record"));
    if (batch.maxTimestamp() >= 0) {
      text.append(", ").append(time(batch.baseTimestamp()));
      if (batch.maxTimestamp() != batch.baseTimestamp()) {
        text.append(" to ").append(time(batch.maxTimestamp()));
      }
    }
    if (batch.producerId() >= 0) {
      text.append(", producer ").append(batch.producerId());
      text.append(" epoch ").append(batch.producerEpoch());
    }
    return text.toString();
  }

  private static String time(long milliseconds) {
    return Instant.ofEpochMilli(milliseconds).toString();
  }

  /** Prints a text, indented, in lines that break between words. */
  private void wrapped(String text) {
    StringBuilder current = new StringBuilder(INDENT + INDENT);
    for (String word : Messages.printable(text).split(" ", -1)) {
      boolean isFirst = current.length() == 2 * INDENT.length();
      if (!isFirst && current.length() + 1 + word.length() > COLUMNS) {
        line(current.toString());
        current.setLength(2 * INDENT.length());
        isFirst = true;
      }
      current.append(isFirst ? "" : " ").append(word);
    }
    line(current.toString());
  }

  // ---- sums

  private void printSums(RunSummary run) {
    if (!files.isEmpty()) {
      line("");
      files.forEach(this::printRow);
    }
    printPartitions();
    Tally tally = run.tally();
    line("");
    if (tally.batches() > 0) {
      line(
          String.format(
              Locale.ROOT,
              "%s of records stored as %s (%s): %s",
              Sizes.bytes(tally.plainBytes()),
              Sizes.bytes(tally.storedBytes()),
              ratio(tally),
              codecs(tally)));
    }
    line(
        String.format(
            Locale.ROOT,
            "%s of files in %.2f s, %.0f MB/s of records",
            Sizes.bytes(run.fileBytes()),
            run.seconds(),
            run.plainMegabytesPerSecond()));
    for (String reason : reasons) {
      line("./check --explain " + reason);
    }
  }

  private void printRow(FileSummary file) {
    Tally tally = file.tally();
    String name = Messages.printable(file.name());
    String state = file.complete() ? style.good("ok") : style.odd("not read to its end");
    if (tally.faults() > 0) {
      state = style.bad(plural(tally.faults(), "fault")) + (file.complete() ? "" : ", " + state);
    }
    String offsets = tally.batches() == 0 ? "-" : file.firstOffset() + " to " + file.lastOffset();
    line(style.strong(name));
    line(
        String.format(
            Locale.ROOT,
            "  %8d batches %10d records  offsets %s  %s",
            tally.batches(),
            tally.records(),
            offsets,
            state));
  }

  private void printPartitions() {
    if (partitions.isEmpty()) {
      return;
    }
    line("");
    if (detail != Detail.VERBOSE && partitions.size() > MAX_PARTITIONS) {
      printTopics();
      return;
    }
    partitions.forEach(this::printPartition);
  }

  private void printPartition(PartitionSummary partition) {
    String state =
        partition.faults() == 0 ? style.good("ok") : style.bad(plural(partition.faults(), "fault"));
    line("partition " + Messages.printable(partition.name()) + ": " + state);
    if (partition.firstOffset() < 0) {
      wrapped(plural(partition.segments(), "segment") + ", no batches");
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append("offsets ").append(partition.firstOffset()).append(" to ");
    text.append(partition.lastOffset()).append(" in ");
    text.append(plural(partition.segments(), "segment"));
    text.append(partition.compacted() ? ", compacted" : "");
    if (partition.producers() > 0) {
      text.append(", ").append(plural(partition.producers(), "producer id"));
    }
    if (partition.forgottenProducers() > 0) {
      text.append(" (too many to compare all of their sequence numbers)");
    }
    wrapped(text.toString());
    printTransactions(partition);
    if (partition.droppedFaults() > 0) {
      wrapped("and " + plural(partition.droppedFaults(), "fault") + " more that are not listed");
    }
  }

  private void printTransactions(PartitionSummary partition) {
    long ended = partition.committedTransactions() + partition.abortedTransactions();
    if (ended + partition.openTransactions() + partition.emptyMarkers() == 0) {
      return;
    }
    StringBuilder text = new StringBuilder("transactions: ");
    text.append(partition.committedTransactions()).append(" committed, ");
    text.append(partition.abortedTransactions()).append(" aborted, ");
    text.append(partition.openTransactions()).append(" open");
    if (partition.openTransactions() > 0) {
      text.append(" since offset ").append(partition.firstOpenOffset());
    }
    if (partition.emptyMarkers() > 0) {
      text.append("; ").append(plural(partition.emptyMarkers(), "marker")).append(" without data");
    }
    wrapped(text.toString());
  }

  private void printTopics() {
    line(
        String.format(
            Locale.ROOT,
            "%-" + NAME_COLUMNS + "s %10s %8s %9s %7s",
            "topic",
            "partitions",
            "segments",
            "open txns",
            "faults"));
    topics.forEach(
        (name, row) ->
            line(
                String.format(
                    Locale.ROOT,
                    "%-" + NAME_COLUMNS + "s %10d %8d %9d %7d",
                    Messages.printable(name),
                    row.partitions,
                    row.segments,
                    row.openTransactions,
                    row.faults)));
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

  private static String batches(long count) {
    return count == 1 ? "1 batch" : count + " batches";
  }

  private static String plural(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private void line(String text) {
    out.println(text);
  }
}
