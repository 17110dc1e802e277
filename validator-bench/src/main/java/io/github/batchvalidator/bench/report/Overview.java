// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables and the chart of a whole run, which need no words. */
final class Overview {
  /** The number of batches follows from their size. */
  private static final String BATCHES = "batches";

  private Overview() {}

  /** Returns one table per benchmark in Markdown: medians in microseconds and bytes per call. */
  static String tables(List<Row> rows) {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.value(Row.BENCHMARK), LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(e -> "## " + e.getKey() + "\n\n" + table(e.getValue()).markdown())
        .collect(Collectors.joining("\n"));
  }

  private static Table table(List<Row> rows) {
    Set<String> contenders = values(rows, Row.CONTENDER);
    String across = contenders.contains("") ? Row.METHOD : Row.CONTENDER;
    boolean hasBytes = rows.stream().anyMatch(row -> row.metric(Row.ALLOCATION) != null);
    return Pivot.of(
        rows,
        new Words(
            Map.of(
                "rows",
                lineFields(rows, across),
                "across",
                across,
                "unit",
                "us",
                "bytes",
                hasBytes ? String.join(",", values(rows, across)) : "")));
  }

  /**
   * Returns the ratios to Kafka of all other contenders: of times, or of the CPU of live brokers.
   * There are none if the run has no contender of Kafka's, or no other one.
   */
  static Optional<Table> ratios(List<Row> rows) {
    Set<String> others = values(rows, Row.CONTENDER);
    Optional<String> kafka = others.stream().filter(each -> each.startsWith("KAFKA")).findFirst();
    kafka.ifPresent(others::remove);
    others.remove("");
    if (kafka.isEmpty() || others.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> words = new LinkedHashMap<>();
    words.put("rows", lineFields(rows, Row.CONTENDER));
    String cpuRatio = LiveFigure.CPU_RATIO.key();
    if (rows.stream().anyMatch(row -> row.metric(cpuRatio) != null)) {
      words.put("metric", cpuRatio);
      words.put("columns", String.join(",", others));
    } else {
      words.put("columns", "");
      words.put(
          "ratios",
          others.stream().map(each -> kafka.get() + "/" + each).collect(Collectors.joining(",")));
    }
    return Optional.of(Pivot.of(rows, new Words(words)));
  }

  /** Returns the fields that distinguish lines, the shape first. */
  private static String lineFields(List<Row> rows, String across) {
    Set<String> fields = new LinkedHashSet<>(List.of(Row.SHAPE));
    rows.forEach(row -> fields.addAll(row.fields().keySet()));
    fields.removeIf(field -> values(rows, field).size() == 1);
    fields.removeAll(List.of(across, BATCHES));
    if (fields.contains("threads")) { // each number of threads has its own method
      fields.remove(Row.METHOD);
    }
    return String.join(",", fields);
  }

  private static Set<String> values(List<Row> rows, String field) {
    return rows.stream()
        .map(row -> row.value(field))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
