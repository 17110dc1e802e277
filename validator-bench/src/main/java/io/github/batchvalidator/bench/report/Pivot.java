// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * A table with one line per value of some fields and one column per value of another field.
 *
 * <p>These words describe the table; any other word selects rows by a field:
 *
 * <ul>
 *   <li>{@code rows}: the fields of a line
 *   <li>{@code across}: the field of the columns, the contender by default
 *   <li>{@code columns}: the values of that field, all by default
 *   <li>{@code ratios}: pairs of columns, see {@link Ratio}
 *   <li>{@code bytes}: the columns whose bytes per call are shown
 *   <li>{@code metric}: a secondary quantity instead of the time
 *   <li>{@code unit}: the unit of times
 *   <li>{@code means}: pairs of columns; a line shows the geometric mean, the least and the largest
 *       ratio of its cells, and the bytes of the middle cell
 * </ul>
 */
final class Pivot {
  private final Words words;
  private final List<Row> rows;
  private final String across;
  private final List<String> bytes;

  private Pivot(List<Row> rows, Words words) {
    this.words = words;
    List<Row> wanted = words.select(rows).stream().filter(row -> !row.isCopy()).toList();
    this.rows = wanted.stream().sorted(inOrderOf(wanted)).toList();
    across = words.get("across", Row.CONTENDER);
    bytes = words.list("bytes");
  }

  /**
   * Returns the table.
   *
   * @throws IllegalArgumentException if no row is left, or two rows belong to one cell
   */
  static Table of(List<Row> rows, Words words) {
    Pivot pivot = new Pivot(rows, words);
    return words.has("means") ? pivot.means() : pivot.cells();
  }

  /** Keeps lines with the same first field together, then those with the same second, and so on. */
  private Comparator<Row> inOrderOf(List<Row> wanted) {
    Comparator<Row> order = Comparator.comparingInt(row -> 0);
    for (String field : words.list("rows")) {
      List<String> values = wanted.stream().map(row -> row.value(field)).distinct().toList();
      order = order.thenComparingInt(row -> values.indexOf(row.value(field)));
    }
    return order;
  }

  private Map<String, List<Row>> lines() {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.name(words.list("rows")), LinkedHashMap::new, Collectors.toList()));
  }

  private Table cells() {
    List<String> columns =
        words.has("columns")
            ? words.list("columns")
            : rows.stream().map(row -> row.value(across)).distinct().toList();
    List<Ratio> ratios = words.list("ratios").stream().map(Ratio::parse).toList();
    List<List<String>> lines =
        lines().entrySet().stream()
            .map(
                line -> {
                  Map<String, Row> cell = byColumn(line.getValue());
                  return join(
                      Stream.of(
                          List.of(line.getKey()),
                          texts(columns, column -> figure(cell.get(column))),
                          texts(ratios, ratio -> ratio.text(cell)),
                          texts(bytes, column -> bytes(List.of(cell), column))));
                })
            .toList();
    return new Table(head(columns, ratios), lines);
  }

  private Table means() {
    List<Ratio> ratios = words.list("means").stream().map(Ratio::parse).toList();
    Map<String, List<Row>> lines = lines();
    if (lines.size() > 1) {
      lines.put("all", rows);
    }
    return new Table(
        head(List.of(), ratios),
        lines.entrySet().stream()
            .map(
                line -> {
                  Collection<Map<String, Row>> cells = byCell(line.getValue());
                  return join(
                      Stream.of(
                          List.of(line.getKey()),
                          texts(ratios, ratio -> mean(cells, ratio)),
                          texts(bytes, column -> bytes(cells, column))));
                })
            .toList());
  }

  private List<String> head(List<String> columns, List<Ratio> ratios) {
    return join(
        Stream.of(
            List.of(""),
            texts(columns, column -> Labels.of(across, column)),
            texts(ratios, ratio -> ratio.label(across)),
            texts(bytes, column -> Labels.of(across, column) + ", B")));
  }

  private static <T> List<String> texts(List<T> items, Function<T, String> text) {
    return items.stream().map(text).toList();
  }

  private static List<String> join(Stream<List<String>> parts) {
    return parts.flatMap(List::stream).toList();
  }

  private Map<String, Row> byColumn(List<Row> line) {
    return line.stream()
        .collect(
            Collectors.toMap(
                row -> row.value(across),
                row -> row,
                (one, other) -> {
                  throw new IllegalArgumentException(
                      "two rows for a cell:\n" + one.label() + '\n' + other.label());
                }));
  }

  private Collection<Map<String, Row>> byCell(List<Row> line) {
    return line.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.without(across), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(this::byColumn)
        .toList();
  }

  private static String mean(Collection<Map<String, Row>> cells, Ratio ratio) {
    double[] sorted =
        cells.stream()
            .mapToDouble(ratio::of)
            .filter(each -> !Double.isNaN(each))
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      return "-";
    }
    return "%s (%s to %s%s)"
        .formatted(
            Labels.number(StatUtils.geometricMean(sorted)),
            Labels.number(sorted[0]),
            Labels.number(sorted[sorted.length - 1]),
            sorted.length < cells.size()
                ? "; %d of %d".formatted(sorted.length, cells.size())
                : "");
  }

  private String figure(@Nullable Row row) {
    Metric metric = row == null ? null : row.metric(words.get("metric", ""));
    return metric == null ? "-" : Labels.figure(metric, words.get("unit", ""));
  }

  /** Returns the median: the mean would include the long cells, to which JMH itself adds bytes. */
  private static String bytes(Collection<Map<String, Row>> cells, String column) {
    double[] sorted =
        cells.stream()
            .flatMap(cell -> Stream.ofNullable(cell.get(column)))
            .flatMap(row -> Stream.ofNullable(row.metric(Row.ALLOCATION)))
            .mapToDouble(Metric::median)
            .sorted()
            .toArray();
    return sorted.length == 0 ? "-" : Labels.whole(sorted[sorted.length / 2]);
  }
}
