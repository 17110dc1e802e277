// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Makes one row of what was measured of a cell in several rounds, with the iterations of all: on a
 * machine whose speed wanders within minutes, contenders that take turns have the same weather.
 */
final class Rounds {
  private static final double[] PERCENTILES = {0, 50, 90, 99, 100};

  private Rounds() {}

  /**
   * Returns the rows of several files of JMH, or published ones, each cell once.
   *
   * @throws IllegalArgumentException if a cell that stands twice was measured by single calls
   */
  static List<JsonNode> pool(List<JsonNode> files) {
    Map<String, List<JsonNode>> cells = new LinkedHashMap<>();
    for (JsonNode file : files) {
      file.forEach(row -> cells.computeIfAbsent(cell(row), key -> new ArrayList<>()).add(row));
    }
    return cells.values().stream().map(rows -> rows.size() == 1 ? rows.get(0) : one(rows)).toList();
  }

  private static String cell(JsonNode row) {
    return String.join(
        " ",
        row.path("benchmark").asText(),
        row.path("mode").asText(),
        row.path("threads").asText(),
        row.path("params").toString());
  }

  private static JsonNode one(List<JsonNode> rows) {
    if (rows.get(0).path("mode").asText().equals("sample")) {
      throw new IllegalArgumentException("what was measured by single calls has no rounds");
    }
    ObjectNode one = rows.get(0).deepCopy();
    one.put("forks", rows.stream().mapToInt(row -> row.path("forks").asInt()).sum());
    one.set("primaryMetric", metric(rows.stream().map(row -> row.path("primaryMetric")).toList()));
    ObjectNode secondary = one.putObject("secondaryMetrics");
    rows.get(0)
        .path("secondaryMetrics")
        .fieldNames()
        .forEachRemaining(
            name ->
                secondary.set(
                    name,
                    metric(
                        rows.stream()
                            .map(row -> row.path("secondaryMetrics").path(name))
                            .toList())));
    return one;
  }

  private static ObjectNode metric(List<JsonNode> rounds) {
    ArrayNode forks = JsonNodeFactory.instance.arrayNode();
    List<Double> values = new ArrayList<>();
    for (JsonNode round : rounds) {
      for (JsonNode fork : round.path(round.has(Metric.RAW) ? Metric.RAW : Metric.ITERATIONS)) {
        forks.add(fork);
        fork.forEach(value -> values.add(value.doubleValue()));
      }
    }
    if (values.isEmpty()) { // a figure that JMH, or a published file, only sums up
      return rounds.get(0).deepCopy();
    }
    ListStatistics all =
        new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
    double error = all.getMeanErrorAt(Metric.CONFIDENCE);
    ObjectNode metric = rounds.get(0).deepCopy();
    metric.put("score", all.getMean()).put("scoreError", error);
    metric.putArray("scoreConfidence").add(all.getMean() - error).add(all.getMean() + error);
    ObjectNode percentiles = metric.putObject("scorePercentiles");
    for (double rank : PERCENTILES) {
      percentiles.put(Double.toString(rank), all.getPercentile(rank));
    }
    metric.remove(Metric.ITERATIONS);
    metric.set(Metric.RAW, forks);
    return metric;
  }
}
