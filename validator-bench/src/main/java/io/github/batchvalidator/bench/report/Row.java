// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one method of a benchmark with one choice of its parameters.
 *
 * @param benchmark simple name of the class
 * @param fields the parameters by name, and {@code benchmark}, {@code method}, {@code mode} and
 *     {@code threads}; {@code shape} is the number of records, x, bytes of each value
 * @param primary time or rate; of threads that compete, what they get done by the clock
 * @param secondary what profilers and counters add, by JMH's name
 */
public record Row(
    String benchmark,
    SortedMap<String, String> fields,
    Metric primary,
    SortedMap<String, Metric> secondary) {
  /** The parameter that tells who does the work. */
  static final String CONTENDER = "contender";

  /** JMH's name of the bytes allocated per call. */
  static final String ALLOCATION = "gc.alloc.rate.norm";

  private static final String SHAPE = "shape";

  /** What threads get done by the clock: JMH's own rate is a sum over threads that wait. */
  private static final String APPENDS = "appends";

  static Row of(JsonNode json) {
    String[] name = json.path("benchmark").asText().split("\\.", -1);
    String benchmark = name.length < 2 ? "" : name[name.length - 2];
    SortedMap<String, String> fields = new TreeMap<>();
    json.path("params").properties().forEach(e -> fields.put(e.getKey(), e.getValue().asText()));
    if (fields.containsKey("records") && fields.containsKey("valueBytes")) {
      fields.put(SHAPE, fields.remove("records") + "x" + fields.remove("valueBytes"));
    }
    fields.put("benchmark", benchmark);
    fields.put("method", name[name.length - 1]);
    fields.put("mode", json.path("mode").asText());
    fields.put("threads", json.path("threads").asText());
    SortedMap<String, Metric> secondary = new TreeMap<>();
    json.path("secondaryMetrics")
        .properties()
        .forEach(e -> secondary.put(e.getKey(), Metric.besides(e.getValue())));
    Metric byTheClock = secondary.remove(APPENDS);
    Metric primary = byTheClock == null ? Metric.of(json.path("primaryMetric")) : byTheClock;
    return new Row(benchmark, fields, primary, secondary);
  }

  /** Returns the value of a field, empty if the row does not have it. */
  String value(String field) {
    return fields.getOrDefault(field, "");
  }

  /** Returns a quantity: a secondary one by its name, or the primary one if the name is empty. */
  @Nullable Metric metric(String name) {
    return name.isEmpty() ? primary : secondary.get(name);
  }

  /** Tells whether every field that is asked for has its value, or one of several with commas. */
  boolean matches(Map<String, String> asked) {
    return asked.entrySet().stream()
        .allMatch(e -> List.of(e.getValue().split(",", -1)).contains(value(e.getKey())));
  }

  /** Returns the fields but for one. */
  SortedMap<String, String> without(String field) {
    SortedMap<String, String> others = new TreeMap<>(fields);
    others.remove(field);
    return others;
  }

  /** Tells whether this is what only the codec libraries take, which bounds all others. */
  boolean isFloor() {
    return value(CONTENDER).endsWith("_ONLY") && !isCopy();
  }

  /** Without a codec, bare decompression is a copy, which is no floor for anything. */
  boolean isCopy() {
    return value(CONTENDER).equals("DECOMPRESS_ONLY") && value("codec").equals("none");
  }

  /** Returns what tells the row from all others of a file, to be read. */
  String label() {
    StringBuilder text = new StringBuilder(benchmark).append('.').append(value("method"));
    fields.forEach(
        (name, value) -> {
          if (!name.equals("benchmark") && !name.equals("method")) {
            text.append(' ').append(name).append('=').append(value);
          }
        });
    return text.toString();
  }
}
