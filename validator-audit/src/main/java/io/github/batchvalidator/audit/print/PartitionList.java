// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The partitions of a run. Many partitions are summarized by topic.
 *
 * <p>Partitions and topics with faults come first.
 */
final class PartitionList {
  /** The maximum number of partitions or topics that are listed one by one. */
  private static final int MAX_ROWS = 12;

  private static final int NAME_COLUMNS = 42;
  private static final String ROW = "%-" + NAME_COLUMNS + "s %10s %8s %9s %7s";

  private final List<PartitionSummary> partitions = new ArrayList<>();
  private final Map<String, Topic> topics = new LinkedHashMap<>();
  private final boolean verbose;

  /** The sums of the partitions of a topic. */
  private static final class Topic {
    private final String name;
    private long partitions;
    private long segments;
    private long openTransactions;
    private long faults;

    private Topic(String name) {
      this.name = name;
    }

    private void add(PartitionSummary partition) {
      partitions++;
      segments += partition.segments();
      openTransactions += partition.openTransactions();
      faults += partition.allFaults();
    }
  }

  /**
   * Creates an empty list.
   *
   * @param verbose true to print all partitions one by one
   */
  PartitionList(boolean verbose) {
    this.verbose = verbose;
  }

  /** Adds a partition. */
  void add(PartitionSummary partition) {
    topics.computeIfAbsent(partition.topic(), Topic::new).add(partition);
    if (verbose || partitions.size() <= MAX_ROWS) {
      partitions.add(partition);
    }
  }

  /** Prints the partitions, or their topics if there are many partitions. */
  void print(Lines lines, Style style) {
    if (partitions.isEmpty()) {
      return;
    }
    lines.line("");
    if (!verbose && partitions.size() > MAX_ROWS) {
      printTopics(lines, style);
      return;
    }
    partitions.stream()
        .sorted(Comparator.comparing(partition -> partition.allFaults() == 0))
        .forEach(partition -> print(partition, lines, style));
  }

  private static void print(PartitionSummary partition, Lines lines, Style style) {
    lines.line(
        "partition " + Messages.printable(partition.name()) + ": " + state(partition, style));
    long between = partition.faults() + partition.droppedFaults();
    if (between > 0) {
      lines.wrapped(1, plural(between, "fault") + " between batches");
    }
    String segments = plural(partition.segments(), "segment");
    if (partition.firstOffset() < 0) {
      lines.wrapped(1, segments + ", no batches");
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append(Wording.offsets(partition.firstOffset(), partition.lastOffset()));
    text.append(" in ").append(segments);
    text.append(partition.compacted() ? ", compacted" : "");
    if (partition.producers() > 0) {
      text.append(", ").append(plural(partition.producers(), "producer id"));
    }
    if (partition.forgottenProducers() > 0) {
      text.append(" (too many to compare all of their sequence numbers)");
    }
    lines.wrapped(1, text.toString());
    printTransactions(partition, lines);
    if (partition.droppedFaults() > 0) {
      lines.wrapped(1, plural(partition.droppedFaults(), "more fault") + " not listed");
    }
  }

  private static String state(PartitionSummary partition, Style style) {
    long unread = partition.unreadFiles();
    String isUnread = style.odd(plural(unread, "file") + " not read to the end");
    if (partition.allFaults() > 0) {
      String faults = style.bad(plural(partition.allFaults(), "fault"));
      return unread == 0 ? faults : faults + ", " + isUnread;
    }
    return unread == 0 ? style.good("ok") : isUnread;
  }

  private static void printTransactions(PartitionSummary partition, Lines lines) {
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
    lines.wrapped(1, text.toString());
  }

  /** Prints the topics with faults, and the others if there are few. Sums up the rest. */
  private void printTopics(Lines lines, Style style) {
    List<Topic> ordered = new ArrayList<>(topics.values());
    ordered.sort(Comparator.comparingLong((Topic topic) -> topic.faults).reversed());
    Topic rest = new Topic("");
    long others = 0;
    lines.line(row("topic", "partitions", "segments", "open txns", "faults"));
    for (int i = 0; i < ordered.size(); i++) {
      Topic topic = ordered.get(i);
      if (topic.faults > 0 || ordered.size() <= MAX_ROWS) {
        String row = row(topic);
        lines.line(topic.faults > 0 ? style.bad(row) : row);
      } else {
        others++;
        rest.partitions += topic.partitions;
        rest.segments += topic.segments;
        rest.openTransactions += topic.openTransactions;
      }
    }
    if (others > 0) {
      boolean isAll = others == ordered.size();
      String name = plural(others, isAll ? "topic" : "other topic") + " without faults";
      lines.line(row(name, rest));
    }
  }

  private static String row(Topic topic) {
    return row(Messages.printable(topic.name), topic);
  }

  private static String row(String name, Topic sums) {
    return row(name, sums.partitions, sums.segments, sums.openTransactions, sums.faults);
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, ROW, cells);
  }
}
