// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a run as Markdown: one table per benchmark and quantity, with a line per cell and
 * a column per contender.
 */
final class Tables {
  private Tables() {}

  /** Returns the tables; each starts with an empty line. */
  static String of(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    for (String benchmark : values(rows, Row.BENCHMARK)) {
      List<Row> own =
          rows.stream().filter(row -> row.value(Row.BENCHMARK).equals(benchmark)).toList();
      Metric time = own.get(0).primary();
      append(text, benchmark + ", " + time.unit() + ", medians", own, row -> row.primary().text());
      if (!time.isRate()) {
        append(text, "Least times", own, row -> Metric.number(row.primary().least()));
      }
      Map<String, Metric> others = new TreeMap<>();
      own.forEach(row -> others.putAll(row.secondary()));
      others.forEach(
          (name, any) ->
              append(text, name + ", " + any.unit(), own, row -> text(row.secondary().get(name))));
    }
    return text.toString();
  }

  private static String text(@Nullable Metric metric) {
    return metric == null ? "-" : metric.text();
  }

  private static void append(
      StringBuilder text, String title, List<Row> rows, Function<Row, String> figure) {
    Set<String> contenders = values(rows, Row.CONTENDER);
    List<String> fields =
        rows.stream()
            .flatMap(row -> row.fields().keySet().stream())
            .distinct()
            .filter(field -> !field.equals(Row.CONTENDER) && values(rows, field).size() > 1)
            .toList();
    text.append("\n## ").append(title).append("\n\n");
    appendLine(text, Stream.concat(fields.stream(), contenders.stream()));
    appendLine(
        text, Stream.concat(fields.stream().map(f -> "---"), contenders.stream().map(c -> "--:")));
    rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> fields.stream().map(row::value).toList(),
                LinkedHashMap::new,
                Collectors.toMap(row -> row.value(Row.CONTENDER), figure)))
        .forEach(
            (cell, figures) ->
                appendLine(
                    text,
                    Stream.concat(
                        cell.stream(),
                        contenders.stream().map(each -> figures.getOrDefault(each, "-")))));
  }

  private static void appendLine(StringBuilder text, Stream<String> cells) {
    text.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  private static Set<String> values(List<Row> rows, String field) {
    return rows.stream()
        .map(row -> row.value(field))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
