// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables and the chart of a whole run, which need no words. */
final class Overview {
  /** The number of batches follows from their size. */
  private static final String BATCHES = "batches";

  private static final double NANOS_PER_MICRO = 1e3;
  private static final String LIVE_FIELDS = "codec,batch,value,load,partitions,producers";

  private Overview() {}

  /**
   * Returns Markdown: one table per benchmark with medians and bytes per call, or one per contender
   * of live brokers.
   */
  static String tables(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    for (String benchmark : values(rows, Row.BENCHMARK)) {
      List<Row> own =
          rows.stream().filter(row -> row.value(Row.BENCHMARK).equals(benchmark)).toList();
      text.append("## ").append(benchmark).append("\n\n");
      if (isLive(own)) {
        for (String contender : PairTable.contenders(own)) {
          Words words = Words.parse("pairs=" + contender + " rows=" + LIVE_FIELDS);
          text.append("Stock broker / ")
              .append(Labels.of(Row.CONTENDER, contender))
              .append(":\n\n");
          text.append(PairTable.of(own, words).markdown()).append('\n');
        }
      } else {
        text.append(table(own).markdown()).append('\n');
      }
    }
    return text.toString();
  }

  private static boolean isLive(List<Row> rows) {
    return !PairTable.contenders(rows).isEmpty();
  }

  private static Table table(List<Row> rows) {
    Set<String> contenders = values(rows, Row.CONTENDER);
    String across = contenders.contains("") ? Row.METHOD : Row.CONTENDER;
    boolean hasBytes = rows.stream().anyMatch(row -> row.metric(Row.ALLOCATION) != null);
    double longestNanos =
        rows.stream()
            .map(Row::primary)
            .mapToDouble(e -> e.median() * Labels.scale(e, "ns"))
            .max()
            .orElse(0);
    String unit = longestNanos < NANOS_PER_MICRO ? "ns" : "us";
    String bytes = hasBytes ? String.join(",", values(rows, across)) : "";
    return Pivot.of(
        rows,
        Words.parse(
            "rows=%s across=%s unit=%s bytes=%s".formatted(lineFields(rows), across, unit, bytes)));
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
    String words =
        isLive(rows)
            ? "rows=%s metric=%s columns=%s"
                .formatted(LIVE_FIELDS, LiveFigure.CPU_RATIO.key(), String.join(",", others))
            : "rows=%s columns= ratios=%s"
                .formatted(
                    lineFields(rows),
                    others.stream()
                        .map(each -> kafka.get() + "/" + each)
                        .collect(Collectors.joining(",")));
    return Optional.of(Pivot.of(rows, Words.parse(words)));
  }

  /** Returns the fields that distinguish lines, the shape first. */
  private static String lineFields(List<Row> rows) {
    Set<String> fields = new LinkedHashSet<>(List.of(Row.SHAPE));
    rows.forEach(row -> fields.addAll(row.fields().keySet()));
    fields.removeIf(field -> values(rows, field).size() == 1);
    fields.removeAll(List.of(Row.CONTENDER, Row.METHOD, BATCHES));
    return String.join(",", fields);
  }

  private static Set<String> values(List<Row> rows, String field) {
    return rows.stream()
        .map(row -> row.value(field))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
