// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.broker.Measured.Range;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.LiveFigure.Better;
import io.github.batchvalidator.bench.report.Metric;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All figures of a run as Markdown, those that are worse than the stock broker's first. */
final class LiveReport {
  /** Smaller differences are not listed: code moves, and with it what the JIT makes of it. */
  private static final double LEAST_DIFFERENCE = 0.05;

  /** With fewer rounds, chance alone puts all ratios on one side too often. */
  private static final int LEAST_ROUNDS = 3;

  private static final double BYTES_PER_MB = 1e6;

  private static final List<Group> GROUPS =
      List.of(
          new Group("Latency", LiveFigure.P50, LiveFigure.P99, LiveFigure.P999, LiveFigure.LONGEST),
          new Group(
              "Processor",
              LiveFigure.CPU,
              LiveFigure.JAVA_CPU,
              LiveFigure.COMPILER_CPU,
              LiveFigure.BUSY),
          new Group("Garbage", LiveFigure.ALLOCATED, LiveFigure.PAUSES, LiveFigure.PAUSED),
          new Group("Locks", LiveFigure.LOCK_WAITS, LiveFigure.LOCK_WAITED),
          new Group(
              "Validator",
              LiveFigure.VALIDATOR_CPU,
              LiveFigure.CPU_SHARE,
              LiveFigure.ALLOCATED_SHARE),
          new Group("Load", LiveFigure.RATE, LiveFigure.PRODUCERS_BUSY, LiveFigure.BATCH_BYTES));

  /** Figures that are read together, in a table each. */
  private record Group(String title, List<LiveFigure> figures) {
    Group(String title, LiveFigure... figures) {
      this(title, List.of(figures));
    }
  }

  private final Measured measured;
  private final Set<BrokerBuild> contenders = EnumSet.noneOf(BrokerBuild.class);
  private final StringBuilder text = new StringBuilder();

  private LiveReport(Measured measured) {
    this.measured = measured;
    measured.cells().forEach(cell -> contenders.addAll(measured.contenders(cell)));
  }

  /** Returns the text; it starts with an empty line. */
  static String of(Measured measured) {
    LiveReport report = new LiveReport(measured);
    report.text.append("\n## Worse than stock, outside of the interval\n\n");
    worse(measured).forEach(each -> report.text.append("- ").append(each).append('\n'));
    if (report.text.toString().endsWith("\n\n")) {
      report.text.append("Nothing.\n");
    }
    report.appendMaxima();
    for (Group group : GROUPS) {
      report.append(group);
    }
    return report.text.toString();
  }

  /**
   * Returns a sentence per figure of a contender that is worse than the stock broker's in every
   * round, and by more than 5 % in half of the rounds. More than 0 is worse than 0.
   */
  static List<String> worse(Measured measured) {
    List<String> worse = new ArrayList<>();
    for (Cell cell : measured.cells()) {
      for (BrokerBuild contender : measured.contenders(cell)) {
        for (LiveFigure figure : LiveFigure.values()) {
          Optional<Range> ratios = measured.ratiosOfAllRounds(cell, contender, figure);
          if (ratios.isPresent() && isWorse(figure, ratios.get())) {
            worse.add(
                "%s, %s: %s %s, stock %s %s; %s"
                    .formatted(
                        cell.label(),
                        contender.label(),
                        title(figure),
                        value(measured, cell, contender, figure),
                        value(measured, cell, BrokerBuild.KAFKA, figure),
                        figure.unit(),
                        measured
                            .ratios(cell, contender, figure)
                            .map(LiveReport::ratio)
                            .orElse("no ratio")));
          }
        }
      }
    }
    return worse;
  }

  private static boolean isWorse(LiveFigure figure, Range ratios) {
    if (ratios.count() < LEAST_ROUNDS) {
      return false;
    }
    return figure.better() == Better.LESS
        ? ratios.least() > 1 && ratios.median() > 1 + LEAST_DIFFERENCE
        : ratios.largest() < 1 && ratios.median() < 1 / (1 + LEAST_DIFFERENCE);
  }

  private static String title(LiveFigure figure) {
    return switch (figure) {
      case CPU -> "CPU";
      case JAVA_CPU -> "CPU of Java threads";
      case BUSY -> "broker, of one processor";
      case ALLOCATED -> "allocated";
      case VALIDATOR_CPU -> "CPU of the validator";
      case CPU_SHARE -> "validator's share of CPU";
      case ALLOCATED_SHARE -> "validator's share of allocation";
      case PAUSES -> "GC pauses";
      case PAUSED -> "GC pauses, time";
      case LOCK_WAITS -> "lock waits";
      case LOCK_WAITED -> "lock waits, time";
      case COMPILER_CPU -> "CPU of the JIT";
      case BATCH_BYTES -> "size of a batch";
      case RATE -> "throughput";
      case PRODUCERS_BUSY -> "producers, of one processor";
      case P50 -> "p50";
      case P99 -> "p99";
      case P999 -> "p99.9";
      case LONGEST -> "longest";
    };
  }

  private static String value(
      Measured measured, Cell cell, BrokerBuild contender, LiveFigure figure) {
    return measured
        .values(cell, contender, figure)
        .map(range -> Metric.number(range.median()))
        .orElse("-");
  }

  /** Returns the median of the ratios, marked if their interval contains 1, and that interval. */
  private static String ratio(Range range) {
    if (range.count() == 1) {
      return String.format(Locale.ROOT, "%.2f", range.median());
    }
    return String.format(
        Locale.ROOT,
        "%s%.2f (%.2f to %.2f)",
        range.least() <= 1 && range.largest() >= 1 ? "~" : "",
        range.median(),
        range.least(),
        range.largest());
  }

  private void appendMaxima() {
    if (measured.maxima().isEmpty()) {
      return;
    }
    text.append("\n## Maximum of stock, which is 100 %\n\n");
    appendLine(
        Stream.of("cell", "records/s", "MB/s", "broker, % of one processor", "producers, %"));
    appendLine(Stream.of("---", "--:", "--:", "--:", "--:"));
    measured
        .maxima()
        .forEach(
            (cell, maximum) ->
                appendLine(
                    Stream.concat(
                        Stream.of(cell.label()),
                        Stream.of(
                                maximum.recordsPerSecond(),
                                maximum.recordsPerSecond() * cell.valueBytes() / BYTES_PER_MB,
                                maximum.brokerBusy(),
                                maximum.producersBusy())
                            .map(Metric::number))));
  }

  private void append(Group group) {
    List<LiveFigure> known = group.figures.stream().filter(this::isKnown).toList();
    if (known.isEmpty()) {
      return;
    }
    text.append("\n## ").append(group.title).append('\n');
    for (LiveFigure figure : known) {
      text.append("\n### ").append(title(figure)).append(", ").append(figure.unit());
      text.append("\n\n");
      appendLine(Stream.concat(Stream.of("cell"), contenders.stream().map(BrokerBuild::label)));
      appendLine(Stream.concat(Stream.of("---"), contenders.stream().map(each -> "--:")));
      for (Cell cell : measured.cells()) {
        appendLine(
            Stream.concat(
                Stream.of(cell.label()),
                contenders.stream().map(each -> text(cell, each, figure))));
      }
    }
  }

  private boolean isKnown(LiveFigure figure) {
    return measured.cells().stream()
        .anyMatch(
            cell ->
                contenders.stream()
                    .anyMatch(each -> measured.values(cell, each, figure).isPresent()));
  }

  private String text(Cell cell, BrokerBuild contender, LiveFigure figure) {
    return value(measured, cell, contender, figure)
        + measured.ratios(cell, contender, figure).map(each -> ", " + ratio(each)).orElse("");
  }

  private void appendLine(Stream<String> cells) {
    text.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
  }
}
