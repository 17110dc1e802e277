// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of contenders who took turns with a stock broker: one line per cell. A ratio is the
 * median of those of each turn, with the least and the largest; it is not that of the medians. A
 * mark tells that 1 lies between these two: turns do not agree who is lower.
 *
 * <p>Asked for by name: {@code pairs}, the contender; {@code rows}, the fields of a line. Every
 * other name is a field that a row must have with that value, or with one of several.
 */
public final class PairTable {
  /** The fields of a row that tell its cell. */
  static final List<String> FIELDS =
      List.of("codec", "batch", "value", "load", "partitions", "producers");

  private static final String STOCK = "KAFKA";
  private static final Set<String> OWN = Set.of("pairs", "rows");

  private final List<Row> rows;
  private final List<String> lineFields;
  private final String contender;

  private PairTable(List<Row> rows, Map<String, String> asked) {
    Map<String, String> fields = new LinkedHashMap<>(asked);
    fields.keySet().removeAll(OWN);
    this.rows = rows.stream().filter(row -> row.matches(fields)).toList();
    lineFields = List.of(asked.getOrDefault("rows", "").split(",", -1));
    contender = asked.getOrDefault("pairs", "");
  }

  /**
   * Returns the table.
   *
   * @param rows what was measured
   * @param asked see above
   * @throws IllegalArgumentException if nothing is left, or two cells have one line
   */
  public static Table of(List<Row> rows, Map<String, String> asked) {
    return new PairTable(rows, asked).table();
  }

  /** Returns who took turns with a stock broker. */
  static List<String> contenders(List<Row> rows) {
    return rows.stream()
        .filter(row -> figure(row, LiveFigure.CPU_RATIO) != null)
        .map(row -> row.value(Row.CONTENDER))
        .distinct()
        .toList();
  }

  private Table table() {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.value(Row.CONTENDER).equals(contender)) {
        String name = RowGroup.name(row, lineFields);
        if (lines.put(name, line(name, row, stockOf(row))) != null) {
          throw new IllegalArgumentException("two cells for a line: " + name);
        }
      }
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("no row of " + contender);
    }
    String ours = Labels.of(Row.CONTENDER, contender);
    return new Table(
        List.of(
            "",
            Labels.KAFKA + ", CPU s/GB",
            ours,
            "ratio",
            "ratio of Java threads",
            Labels.KAFKA + ", B/record",
            ours,
            "ratio",
            "validator, CPU s/GB",
            "ratio",
            "its share of CPU",
            "of allocation",
            "its B/record",
            "GC, ms/GB",
            "JIT, CPU s/GB",
            "bytes of a batch",
            "records/s",
            "p99, ms"),
        List.copyOf(lines.values()));
  }

  private Row stockOf(Row row) {
    var cell = row.without(Row.CONTENDER);
    return rows.stream()
        .filter(other -> other.value(Row.CONTENDER).equals(STOCK))
        .filter(other -> other.without(Row.CONTENDER).equals(cell))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no stock broker beside " + row.label()));
  }

  private static List<String> line(String name, Row ours, Row stock) {
    List<String> cells = new ArrayList<>(List.of(name));
    cells.add(Labels.number(stock.primary().median()));
    cells.add(Labels.number(ours.primary().median()));
    cells.add(ratio(figure(ours, LiveFigure.CPU_RATIO)));
    cells.add(ratio(figure(ours, LiveFigure.JAVA_CPU_RATIO)));
    cells.add(median(figure(stock, LiveFigure.ALLOCATED), Labels::number));
    cells.add(median(figure(ours, LiveFigure.ALLOCATED), Labels::number));
    cells.add(ratio(figure(ours, LiveFigure.ALLOCATED_RATIO)));
    cells.add(both(stock, ours, LiveFigure.VALIDATOR_CPU, Labels::number));
    cells.add(ratio(figure(ours, LiveFigure.VALIDATOR_CPU_RATIO)));
    for (LiveFigure share : List.of(LiveFigure.CPU_SHARE, LiveFigure.ALLOCATED_SHARE)) {
      cells.add(both(stock, ours, share, PairTable::percent));
    }
    cells.add(ownBytes(stock) + " / " + ownBytes(ours));
    cells.add(both(stock, ours, LiveFigure.PAUSES, PairTable::whole));
    cells.add(both(stock, ours, LiveFigure.COMPILER_CPU, Labels::number));
    cells.add(both(stock, ours, LiveFigure.BATCH_BYTES, PairTable::whole));
    cells.add(both(stock, ours, LiveFigure.RATE, PairTable::whole));
    cells.add(both(stock, ours, LiveFigure.P99, PairTable::whole));
    return cells;
  }

  /** What the validator allocates: the broker's bytes times the validator's share of a profile. */
  private static String ownBytes(Row row) {
    Metric bytes = figure(row, LiveFigure.ALLOCATED);
    Metric share = figure(row, LiveFigure.ALLOCATED_SHARE);
    return bytes == null || share == null ? "-" : whole(bytes.median() * share.median() / 100);
  }

  private static String both(Row stock, Row ours, LiveFigure figure, DoubleFunction<String> text) {
    return median(figure(stock, figure), text) + " / " + median(figure(ours, figure), text);
  }

  private static @Nullable Metric figure(Row row, LiveFigure figure) {
    return row.metric(figure.key());
  }

  private static String median(@Nullable Metric metric, DoubleFunction<String> text) {
    return metric == null ? "-" : text.apply(metric.median());
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String ratio(@Nullable Metric metric) {
    if (metric == null) {
      return "-";
    }
    String mark = metric.least() <= 1 && metric.largest() >= 1 ? Labels.UNSURE : "";
    return String.format(
        Locale.ROOT,
        "%s%.3f (%.3f to %.3f)",
        mark,
        metric.median(),
        metric.least(),
        metric.largest());
  }
}
