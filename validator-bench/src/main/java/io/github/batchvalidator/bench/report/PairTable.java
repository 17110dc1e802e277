// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table with one line per cell of a live-broker run: a contender next to the stock broker. A
 * ratio is the median of the ratios of all turns, with the least and the largest in brackets. A
 * mark says that the turns disagree: 1 is between these two.
 *
 * <p>The word {@code pairs} names the contender, {@code rows} the fields of a line. Any other word
 * selects rows by a field.
 */
final class PairTable {
  private static final String STOCK = "KAFKA";

  private final Row stock;
  private final Row ours;

  private PairTable(Row stock, Row ours) {
    this.stock = stock;
    this.ours = ours;
  }

  /**
   * Returns the table.
   *
   * @throws IllegalArgumentException if no row is left, two cells belong to one line, or a cell has
   *     no stock broker
   */
  static Table of(List<Row> rows, Words words) {
    String contender = words.get("pairs", "");
    List<Row> selected = words.select(rows);
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Row row : selected) {
      if (row.value(Row.CONTENDER).equals(contender)) {
        String name = row.name(words.list("rows"));
        if (lines.put(name, new PairTable(stock(selected, row), row).line(name)) != null) {
          throw new IllegalArgumentException("two cells for a line: " + name);
        }
      }
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("no row of " + contender);
    }
    return new Table(head(Labels.of(Row.CONTENDER, contender)), List.copyOf(lines.values()));
  }

  private static Row stock(List<Row> rows, Row ours) {
    return rows.stream()
        .filter(row -> row.value(Row.CONTENDER).equals(STOCK))
        .filter(row -> row.without(Row.CONTENDER).equals(ours.without(Row.CONTENDER)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no stock broker for " + ours.label()));
  }

  private static List<String> head(String contender) {
    return List.of(
        "",
        Labels.KAFKA + ", CPU s/GB",
        contender,
        "ratio",
        "ratio of Java threads",
        Labels.KAFKA + ", B/record",
        contender,
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
        "p99, ms");
  }

  private List<String> line(String name) {
    return List.of(
        name,
        Labels.number(stock.primary().median()),
        Labels.number(ours.primary().median()),
        ratio(LiveFigure.CPU_RATIO),
        ratio(LiveFigure.JAVA_CPU_RATIO),
        median(stock, LiveFigure.ALLOCATED, Labels::number),
        median(ours, LiveFigure.ALLOCATED, Labels::number),
        ratio(LiveFigure.ALLOCATED_RATIO),
        both(LiveFigure.VALIDATOR_CPU, Labels::number),
        ratio(LiveFigure.VALIDATOR_CPU_RATIO),
        both(LiveFigure.CPU_SHARE, PairTable::percent),
        both(LiveFigure.ALLOCATED_SHARE, PairTable::percent),
        ownBytes(stock) + " / " + ownBytes(ours),
        both(LiveFigure.PAUSES, Labels::whole),
        both(LiveFigure.COMPILER_CPU, Labels::number),
        both(LiveFigure.BATCH_BYTES, Labels::whole),
        both(LiveFigure.RATE, Labels::whole),
        both(LiveFigure.P99, Labels::whole));
  }

  /** Returns the bytes that the validator allocates per record, by its share of the samples. */
  private static String ownBytes(Row row) {
    Metric bytes = row.metric(LiveFigure.ALLOCATED.key());
    Metric share = row.metric(LiveFigure.ALLOCATED_SHARE.key());
    return bytes == null || share == null
        ? "-"
        : Labels.whole(bytes.median() * share.median() / 100);
  }

  private String both(LiveFigure figure, DoubleFunction<String> text) {
    return median(stock, figure, text) + " / " + median(ours, figure, text);
  }

  private static String median(Row row, LiveFigure figure, DoubleFunction<String> text) {
    @Nullable Metric metric = row.metric(figure.key());
    return metric == null ? "-" : text.apply(metric.median());
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  private String ratio(LiveFigure figure) {
    @Nullable Metric metric = ours.metric(figure.key());
    if (metric == null) {
      return "-";
    }
    return String.format(
        Locale.ROOT,
        "%s%.3f (%.3f to %.3f)",
        metric.isUnsure() ? Labels.UNSURE : "",
        metric.median(),
        metric.least(),
        metric.largest());
  }
}
