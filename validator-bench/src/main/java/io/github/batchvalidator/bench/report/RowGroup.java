// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one benchmark, and which of their fields tell one from another.
 *
 * @param rows at least one
 */
record RowGroup(List<Row> rows) {
  private static final String METHOD = "method";

  /** How many batches take turns: it follows from their size, and is nothing to compare. */
  private static final String BATCHES = "batches";

  /** A curve needs that many points. */
  private static final int CURVE_POINTS = 3;

  static Collection<RowGroup> byBenchmark(List<Row> rows) {
    return new RowGroup(rows).by(Row::benchmark).values();
  }

  /** Returns the rows in groups by some text, in the order in which they stand. */
  Map<String, RowGroup> by(Function<Row, String> text) {
    Map<String, List<Row>> groups =
        rows.stream().collect(Collectors.groupingBy(text, LinkedHashMap::new, Collectors.toList()));
    Map<String, RowGroup> result = new LinkedHashMap<>();
    groups.forEach((name, group) -> result.put(name, new RowGroup(group)));
    return result;
  }

  String benchmark() {
    return rows.get(0).benchmark();
  }

  /** Returns the different values of a field. */
  Set<String> values(String field) {
    return rows.stream()
        .map(row -> row.value(field))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * Returns the fields that have more than one value, but neither the method nor the number of
   * batches if the other fields are enough: JMH takes a number of threads from a method.
   */
  List<String> varying() {
    Set<String> all = new LinkedHashSet<>();
    rows.forEach(row -> all.addAll(row.fields().keySet()));
    List<String> fields = new ArrayList<>(all);
    fields.removeIf(field -> values(field).size() == 1);
    for (String field : List.of(METHOD, BATCHES)) {
      if (fields.size() > 1 && by(row -> row.without(field).toString()).size() == rows.size()) {
        fields.remove(field);
      }
    }
    return fields;
  }

  /** Returns the fields that vary, but for some. */
  List<String> varyingBut(@Nullable String... others) {
    List<String> fields = new ArrayList<>(varying());
    for (String other : others) {
      fields.remove(other);
    }
    return fields;
  }

  /** Returns the field that a curve runs along, or null if there is none. */
  @Nullable String axis() {
    return varying().stream()
        .filter(field -> values(field).size() >= CURVE_POINTS)
        .filter(field -> values(field).stream().allMatch(value -> value.matches("\\d+")))
        .filter(this::makesCurves)
        .findFirst()
        .orElse(null);
  }

  /** Most rows have to be points of a curve, not one of a kind that happens to have a number. */
  private boolean makesCurves(String field) {
    List<String> others = varyingBut(field, METHOD, BATCHES);
    int points =
        by(row -> name(row, others)).values().stream()
            .mapToInt(series -> series.rows().size())
            .filter(size -> size >= CURVE_POINTS)
            .sum();
    return 2 * points > rows.size();
  }

  /** Returns the field whose values stand beside each other. */
  String across() {
    boolean isCompared = !rows.get(0).value(Row.CONTENDER).isEmpty();
    return isCompared ? Row.CONTENDER : METHOD;
  }

  /** Returns the rows whose field has a value, or all of them if none has. */
  RowGroup preferring(String field, String value) {
    List<Row> some = rows.stream().filter(row -> row.value(field).equals(value)).toList();
    return some.isEmpty() ? this : new RowGroup(some);
  }

  private static String label(Row row, String field) {
    return Labels.of(field, row.value(field));
  }

  /** Returns the values of some fields of a row, to be read. */
  static String name(Row row, List<String> fields) {
    return fields.stream()
        .map(field -> row.isCopy() && field.equals(Row.CONTENDER) ? "copy" : label(row, field))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }
}
