// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of the rows of a file: one line for each value of some fields, one column for each
 * value of another.
 *
 * <p>Asked for by name: {@code rows}, the fields of a line; {@code across}, the field of the
 * columns (the contender); {@code columns}, which of its values; {@code ratios}, pairs of them with
 * a slash between; {@code bytes}, those whose bytes per call are told; {@code metric}, another
 * quantity than the primary one; {@code unit}, for times; {@code means}, pairs as for ratios, of
 * which a line tells the geometric mean, the least and the largest over all its cells, and how many
 * have the pair if not all do, instead of all that, and the bytes of the middle cell. A pair is
 * compared by its medians, or with {@code @least} behind it by its least times, which a machine
 * that runs slowly now and then does not touch; rates are compared the other way round, so that it
 * is times that are told. A ratio of medians is marked if one of them is. Every other name is a
 * field that a row must have with that value, or with one of several.
 */
public final class Pivot {
  private static final Set<String> OWN =
      Set.of("rows", "across", "columns", "ratios", "bytes", "metric", "unit", "means");

  private static final String LEAST = "@least";

  private final List<Row> rows;
  private final Map<String, String> asked;
  private final List<String> lineFields;
  private final String across;

  private Pivot(List<Row> rows, Map<String, String> asked) {
    Map<String, String> fields = new LinkedHashMap<>(asked);
    fields.keySet().removeAll(OWN);
    this.asked = asked;
    lineFields = list("rows");
    List<Row> wanted = rows.stream().filter(row -> row.matches(fields) && !row.isCopy()).toList();
    this.rows = wanted.stream().sorted(inOrderOf(wanted)).toList();
    across = asked.getOrDefault("across", Row.CONTENDER);
    if (this.rows.isEmpty()) {
      throw new IllegalArgumentException("no row with " + fields);
    }
  }

  /**
   * Returns the table.
   *
   * @param rows what was measured
   * @param asked see above
   * @throws IllegalArgumentException if nothing is left, or two rows for one cell
   */
  public static Table of(List<Row> rows, Map<String, String> asked) {
    Pivot pivot = new Pivot(rows, asked);
    return asked.containsKey("means") ? pivot.means() : pivot.cells();
  }

  /** Lines that share the value of their first field stand together, and so on. */
  private Comparator<Row> inOrderOf(List<Row> wanted) {
    return lineFields.stream()
        .map(
            field -> {
              List<String> values =
                  wanted.stream().map(row -> row.value(field)).distinct().toList();
              return Comparator.<Row>comparingInt(row -> values.indexOf(row.value(field)));
            })
        .reduce(Comparator::thenComparing)
        .orElse(Comparator.comparing(Row::benchmark));
  }

  private Table cells() {
    List<String> columns = list("columns");
    if (columns.isEmpty()) {
      columns = distinct(row -> row.value(across));
    }
    List<String> head = new ArrayList<>(List.of(""));
    columns.forEach(column -> head.add(label(column)));
    list("ratios").forEach(ratio -> head.add(ratioLabel(ratio)));
    list("bytes").forEach(column -> head.add(label(column) + ", B"));
    List<List<String>> lines = new ArrayList<>();
    for (String line : distinct(this::line)) {
      Map<String, Row> byColumn = byColumn(row -> line(row).equals(line));
      List<String> cells = new ArrayList<>(List.of(line));
      columns.forEach(column -> cells.add(figure(byColumn.get(column))));
      list("ratios").forEach(ratio -> cells.add(ratio(byColumn, ratio)));
      list("bytes").forEach(column -> cells.add(bytes(byColumn.get(column))));
      lines.add(cells);
    }
    return new Table(head, lines);
  }

  private Table means() {
    List<String> ratios = list("means");
    List<String> head = new ArrayList<>(List.of(""));
    ratios.forEach(ratio -> head.add(ratioLabel(ratio)));
    list("bytes").forEach(column -> head.add(label(column) + ", B"));
    List<List<String>> lines = new ArrayList<>();
    for (String line : distinct(this::line)) {
      lines.add(means(line, row -> line(row).equals(line)));
    }
    if (lines.size() > 1) {
      lines.add(means("all", row -> true));
    }
    return new Table(head, lines);
  }

  private List<String> means(String name, Predicate<Row> wanted) {
    Map<SortedMap<String, String>, Map<String, Row>> cells =
        rows.stream()
            .filter(wanted)
            .collect(
                Collectors.groupingBy(
                    row -> row.without(across),
                    LinkedHashMap::new,
                    Collectors.toMap(row -> row.value(across), row -> row)));
    List<String> line = new ArrayList<>(List.of(name));
    for (String ratio : list("means")) {
      double[] all =
          cells.values().stream()
              .mapToDouble(each -> quotient(each, ratio))
              .filter(each -> !Double.isNaN(each))
              .sorted()
              .toArray();
      String missing =
          all.length < cells.size() ? "; %d of %d".formatted(all.length, cells.size()) : "";
      line.add(all.length == 0 ? "-" : mean(all, missing));
    }
    list("bytes").forEach(column -> line.add(middleBytes(cells.values(), column)));
    return line;
  }

  /** Not a mean: the longest cells carry what JMH itself allocates. */
  private static String middleBytes(Collection<Map<String, Row>> cells, String column) {
    List<Metric> sorted =
        cells.stream()
            .map(cell -> cell.get(column))
            .flatMap(row -> Stream.ofNullable(row == null ? null : row.metric(Row.ALLOCATION)))
            .sorted(Comparator.comparingDouble(Metric::median))
            .toList();
    return sorted.isEmpty() ? "-" : Labels.bytes(sorted.get(sorted.size() / 2));
  }

  private static String mean(double[] sorted, String missing) {
    double logs = 0;
    for (double each : sorted) {
      logs += Math.log(each);
    }
    return "%s (%s to %s%s)"
        .formatted(
            Labels.number(Math.exp(logs / sorted.length)),
            Labels.number(sorted[0]),
            Labels.number(sorted[sorted.length - 1]),
            missing);
  }

  private Map<String, Row> byColumn(Predicate<Row> wanted) {
    Map<String, Row> found = new LinkedHashMap<>();
    rows.stream()
        .filter(wanted)
        .forEach(
            row -> {
              Row other = found.put(row.value(across), row);
              if (other != null) {
                throw new IllegalArgumentException(
                    "two rows for a cell:\n" + other.label() + '\n' + row.label());
              }
            });
    return found;
  }

  private String figure(@Nullable Row row) {
    Metric metric = row == null ? null : row.metric(asked.getOrDefault("metric", ""));
    if (metric == null) {
      return "-";
    }
    boolean isBytes = metric.unit().equals("B/op");
    return isBytes ? Labels.bytes(metric) : Labels.figure(metric, asked.getOrDefault("unit", ""));
  }

  private static String bytes(@Nullable Row row) {
    Metric metric = row == null ? null : row.metric(Row.ALLOCATION);
    return metric == null ? "-" : Labels.bytes(metric);
  }

  private static String ratio(Map<String, Row> byColumn, String ratio) {
    double quotient = quotient(byColumn, ratio);
    if (Double.isNaN(quotient)) {
      return "-";
    }
    boolean isSure =
        ratio.endsWith(LEAST)
            || Stream.of(names(ratio))
                .flatMap(name -> Stream.ofNullable(byColumn.get(name)))
                .noneMatch(row -> Labels.isUnsure(row.primary()));
    return (isSure ? "" : Labels.UNSURE) + Labels.number(quotient);
  }

  private static double quotient(Map<String, Row> byColumn, String ratio) {
    String[] names = names(ratio);
    Row upper = byColumn.get(names[0]);
    Row lower = byColumn.get(names[1]);
    if (upper == null || lower == null) {
      return Double.NaN;
    }
    Metric dividend = upper.primary().isRate() ? lower.primary() : upper.primary();
    Metric divisor = upper.primary().isRate() ? upper.primary() : lower.primary();
    return ratio.endsWith(LEAST)
        ? best(dividend) / best(divisor)
        : Labels.in(dividend, "ns") / Labels.in(divisor, "ns");
  }

  private static double best(Metric metric) {
    return metric.isRate() ? metric.largest() : Labels.leastIn(metric, "ns");
  }

  private static String[] names(String ratio) {
    return ratio.replace(LEAST, "").split("/", 2);
  }

  private String line(Row row) {
    return lineFields.stream()
        .map(field -> Labels.of(field, row.value(field)))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private String label(String column) {
    return Labels.of(across, column);
  }

  private String ratioLabel(String ratio) {
    String label = Stream.of(names(ratio)).map(this::label).collect(Collectors.joining(" / "));
    return ratio.endsWith(LEAST) ? label + ", least" : label;
  }

  private List<String> distinct(Function<Row, String> text) {
    return rows.stream().map(text).distinct().toList();
  }

  private List<String> list(String name) {
    String values = asked.getOrDefault(name, "");
    return values.isEmpty() ? List.of() : List.of(values.split(",", -1));
  }
}
