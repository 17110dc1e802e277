// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table with one line per cell of a live-broker run: the figures of the stock broker and of a
 * contender. A ratio is the median of the ratios of all turns, with the least and the largest in
 * brackets. A mark says that the turns disagree: 1 is between these two.
 *
 * <p>The word {@code pairs} names the contender, {@code rows} the fields of a line. Any other word
 * selects rows by a field.
 */
final class PairTable {
  private static final String STOCK = "KAFKA";
  private static final List<LiveFigure> COLUMNS =
      Stream.of(LiveFigure.values()).filter(figure -> !figure.title().isEmpty()).toList();

  private PairTable() {}

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
        if (lines.put(name, line(name, stock(selected, row), row)) != null) {
          throw new IllegalArgumentException("two cells for a line: " + name);
        }
      }
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("no row of " + contender);
    }
    Stream<String> titles = COLUMNS.stream().map(LiveFigure::title);
    return new Table(Stream.concat(Stream.of(""), titles).toList(), List.copyOf(lines.values()));
  }

  /** Returns the contenders that took turns with a stock broker. */
  static List<String> contenders(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.metric(LiveFigure.CPU_RATIO.key()) != null)
        .map(row -> row.value(Row.CONTENDER))
        .distinct()
        .toList();
  }

  private static Row stock(List<Row> rows, Row ours) {
    return rows.stream()
        .filter(row -> row.value(Row.CONTENDER).equals(STOCK))
        .filter(row -> row.without(Row.CONTENDER).equals(ours.without(Row.CONTENDER)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no stock broker for " + ours.label()));
  }

  private static List<String> line(String name, Row stock, Row ours) {
    Stream<String> figures =
        COLUMNS.stream()
            .map(
                figure ->
                    figure.unit().equals(Metric.RATIO)
                        ? text(ours, figure)
                        : text(stock, figure) + " / " + text(ours, figure));
    return Stream.concat(Stream.of(name), figures).toList();
  }

  private static String text(Row row, LiveFigure figure) {
    @Nullable Metric metric = row.metric(figure == LiveFigure.CPU ? "" : figure.key());
    if (metric == null) {
      return "-";
    }
    return switch (figure.unit()) {
      case Metric.RATIO ->
          String.format(
              Locale.ROOT,
              "%s%.3f (%.3f to %.3f)",
              metric.isUnsure() ? Labels.UNSURE : "",
              metric.median(),
              metric.least(),
              metric.largest());
      case "s/GB", "B/record" -> Labels.number(metric.median());
      case "%" -> String.format(Locale.ROOT, "%.1f %%", metric.median());
      default -> Labels.whole(metric.median());
    };
  }
}
