// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Turns JMH's rows into a file to publish, under JMH's names. The rounds of a cell become one row
 * with all their iterations. Everything that no table, chart or comparison reads is left out, and
 * numbers keep eight digits.
 */
public final class Publication {
  /** JMH's name of the single values of a metric, one list per fork. */
  static final String RAW = "rawData";

  private static final String PRIMARY = "primaryMetric";
  private static final String SECONDARY = "secondaryMetrics";
  private static final String PERCENTILES = "scorePercentiles";
  private static final List<String> RANKS = List.of("0.0", "50.0", "100.0");
  private static final MathContext DIGITS = new MathContext(8);

  private Publication() {}

  /**
   * Returns the rows of several files, one row per cell, in the order of the files.
   *
   * @throws IllegalArgumentException if a cell occurs twice and one of its rows has no single
   *     values, as in sample mode
   */
  static List<JsonNode> pool(List<JsonNode> files) {
    Map<String, List<JsonNode>> cells = new LinkedHashMap<>();
    for (JsonNode file : files) {
      file.forEach(row -> cells.computeIfAbsent(cell(row), any -> new ArrayList<>()).add(row));
    }
    return cells.values().stream().map(Publication::pooled).toList();
  }

  private static String cell(JsonNode row) {
    return String.join(
        " ",
        List.of(
            row.path("benchmark").asText(),
            row.path("mode").asText(),
            row.path("threads").asText(),
            row.path("params").toString()));
  }

  private static JsonNode pooled(List<JsonNode> rounds) {
    ObjectNode row = slim(rounds.get(0));
    if (rounds.size() > 1) {
      row.put("forks", rounds.stream().mapToInt(round -> round.path("forks").asInt()).sum());
      row.set(PRIMARY, pooledMetric(rounds.stream().map(round -> round.path(PRIMARY)).toList()));
      row.path(SECONDARY)
          .properties()
          .forEach(
              e ->
                  e.setValue(
                      pooledMetric(
                          rounds.stream()
                              .map(round -> round.path(SECONDARY).path(e.getKey()))
                              .toList())));
    }
    return row;
  }

  private static ObjectNode slim(JsonNode row) {
    ObjectNode slim = row.deepCopy();
    ObjectNode secondary = slim.withObject("/" + SECONDARY);
    List<String> names = new ArrayList<>();
    secondary.fieldNames().forEachRemaining(names::add);
    names.removeIf(name -> name.equals(Row.ALLOCATION) || !isDerived(name));
    secondary.remove(names);
    return slim;
  }

  /** Tells whether a figure follows from the time, the bytes per call and the batch. */
  private static boolean isDerived(String name) {
    return name.startsWith("gc.") || name.equals("plainBytes");
  }

  private static ObjectNode pooledMetric(List<JsonNode> rounds) {
    List<List<Double>> forks = new ArrayList<>();
    for (JsonNode round : rounds) {
      if (!round.path(RAW).isArray()) {
        throw new IllegalArgumentException("a round without single values cannot be pooled");
      }
      for (JsonNode fork : round.path(RAW)) {
        List<Double> values = new ArrayList<>();
        fork.forEach(value -> values.add(value.asDouble()));
        forks.add(values);
      }
    }
    return metric(rounds.get(0).path("scoreUnit").asText(), forks);
  }

  /**
   * Returns a metric in JMH's form.
   *
   * @param unit for readers
   * @param forks the values of each fork, at least one in all
   */
  public static ObjectNode metric(String unit, List<List<Double>> forks) {
    var all =
        new ListStatistics(
            forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray());
    ObjectNode metric = JsonNodeFactory.instance.objectNode();
    metric.put("score", all.getMean());
    metric.put("scoreError", all.getMeanErrorAt(Metric.CONFIDENCE));
    metric.put("scoreUnit", unit);
    ObjectNode percentiles = metric.putObject(PERCENTILES);
    RANKS.forEach(rank -> percentiles.put(rank, all.getPercentile(Double.parseDouble(rank))));
    ArrayNode raw = metric.putArray(RAW);
    forks.forEach(fork -> fork.forEach(raw.addArray()::add));
    return metric;
  }

  /** Returns the text of the file to publish, one row per line. */
  static String text(List<? extends JsonNode> rows) {
    return rows.stream()
        .map(row -> rounded(published(row)).toString())
        .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  private static ObjectNode published(JsonNode row) {
    ObjectNode published = row.deepCopy();
    published.retain("benchmark", "mode", "threads", "forks", "params", PRIMARY, SECONDARY);
    retain(published.path(PRIMARY), "score", "scoreError", "scoreUnit", PERCENTILES, RAW);
    published.path(SECONDARY).forEach(metric -> retain(metric, "score", "scoreUnit", PERCENTILES));
    return published;
  }

  private static void retain(JsonNode metric, String... fields) {
    ((ObjectNode) metric).retain(fields);
    metric.withObject("/" + PERCENTILES).retain(RANKS);
  }

  private static JsonNode rounded(JsonNode node) {
    if (node.isDouble() && Double.isFinite(node.doubleValue())) {
      return DoubleNode.valueOf(node.decimalValue().round(DIGITS).doubleValue());
    }
    if (node instanceof ObjectNode object) {
      object.properties().forEach(e -> e.setValue(rounded(e.getValue())));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, rounded(array.get(i)));
      }
    }
    return node;
  }
}
