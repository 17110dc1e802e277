// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of one benchmark method with one choice of its parameters.
 *
 * @param fields the parameters by name, and {@code benchmark}, {@code method}, {@code mode} and
 *     {@code threads}
 * @param primary the time or rate
 * @param secondary the figures of profilers and counters, by JMH's name
 */
record Row(SortedMap<String, String> fields, Metric primary, SortedMap<String, Metric> secondary) {
  static final String BENCHMARK = "benchmark";
  static final String METHOD = "method";
  static final String CONTENDER = "contender";

  /** JMH's name of the bytes allocated per call. */
  static final String ALLOCATION = "gc.alloc.rate.norm";

  /** The rate of competing threads by the clock; JMH's own rate adds those of waiting threads. */
  private static final String APPENDS = "appends";

  /**
   * Reads the rows of a file that JMH writes with {@code -rf json}, as it is or as published.
   *
   * @throws IOException if the file cannot be read or contains no results
   */
  static List<Row> read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    tree(file).forEach(row -> rows.add(of(row)));
    return rows;
  }

  static JsonNode tree(Path file) throws IOException {
    JsonNode tree = new ObjectMapper().readTree(file.toFile());
    if (!tree.isArray() || tree.isEmpty() || !tree.get(0).has("primaryMetric")) {
      throw new IOException(file + " contains no JMH results");
    }
    return tree;
  }

  private static Row of(JsonNode json) {
    String[] name = json.path(BENCHMARK).asText().split("\\.", -1);
    SortedMap<String, String> fields = new TreeMap<>();
    json.path("params").properties().forEach(e -> fields.put(e.getKey(), e.getValue().asText()));
    fields.put(BENCHMARK, name.length < 2 ? "" : name[name.length - 2]);
    fields.put(METHOD, name[name.length - 1]);
    fields.put("mode", json.path("mode").asText());
    fields.put("threads", json.path("threads").asText());
    SortedMap<String, Metric> secondary = new TreeMap<>();
    json.path("secondaryMetrics")
        .properties()
        .forEach(e -> secondary.put(e.getKey(), Metric.secondary(e.getValue())));
    Metric appends = secondary.remove(APPENDS);
    Metric primary = appends == null ? Metric.primary(json.path("primaryMetric")) : appends;
    return new Row(fields, primary, secondary);
  }

  /** Returns the value of a field, or an empty string if the row does not have the field. */
  String value(String field) {
    return fields.getOrDefault(field, "");
  }

  /** Returns text that identifies the row in its file. */
  String label() {
    return fields.entrySet().stream()
        .filter(e -> !e.getKey().equals(BENCHMARK) && !e.getKey().equals(METHOD))
        .map(e -> " " + e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining("", value(BENCHMARK) + "." + value(METHOD), ""));
  }
}
