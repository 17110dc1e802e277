// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchvalidator.bench.broker.Measured.Series;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Writes what was measured as rows like JMH's, under its names, so that what reads JMH's files
 * reads these: CPU per GB is the primary metric, one value per slot; forks are rounds.
 */
final class ResultRows {
  private static final double[] PERCENTILES = {0, 50, 100};

  private ResultRows() {}

  /**
   * Returns the rows.
   *
   * @param rounds their number
   * @param jvmArgs options of the brokers' JVMs
   */
  static List<JsonNode> of(Measured measured, int rounds, List<String> jvmArgs) {
    List<JsonNode> rows = new ArrayList<>();
    measured.forEach(
        (fields, series) -> {
          if (series.values().containsKey(LiveFigure.CPU)) {
            ObjectNode row = row(fields, series);
            row.put("forks", rounds);
            jvmArgs.forEach(row.putArray("jvmArgs")::add);
            rows.add(row);
          }
        });
    return rows;
  }

  private static ObjectNode row(Map<String, String> fields, Series series) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("benchmark", "io.github.batchvalidator.bench.broker.LiveBroker.produce");
    row.put("mode", "avgt");
    row.put("threads", 1);
    row.put("vmName", System.getProperty("java.vm.name"));
    row.put("vmVersion", System.getProperty("java.vm.version"));
    ObjectNode params = row.putObject("params");
    fields.forEach(params::put);
    ObjectNode secondary = JsonNodeFactory.instance.objectNode();
    series
        .values()
        .forEach(
            (figure, rounds) -> {
              JsonNode metric = metric(figure, rounds);
              if (figure == LiveFigure.CPU) {
                row.set("primaryMetric", metric);
              } else {
                secondary.set(figure.key(), metric);
              }
            });
    row.set("secondaryMetrics", secondary);
    return row;
  }

  private static JsonNode metric(LiveFigure figure, List<List<Double>> rounds) {
    ObjectNode metric = JsonNodeFactory.instance.objectNode();
    ArrayNode iterations = JsonNodeFactory.instance.arrayNode();
    List<Double> values = new ArrayList<>();
    for (List<Double> round : rounds) {
      ArrayNode fork = iterations.addArray();
      for (double value : round) {
        values.add(value);
        fork.add(rounded(value));
      }
    }
    ListStatistics all =
        new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
    metric.put("score", rounded(all.getMean()));
    double error = all.getMeanErrorAt(Metric.CONFIDENCE);
    if (Double.isNaN(error)) {
      metric.put("scoreError", "NaN");
    } else {
      metric.put("scoreError", rounded(error));
    }
    metric.put("scoreUnit", figure.unit());
    ObjectNode percentiles = metric.putObject("scorePercentiles");
    for (double rank : PERCENTILES) {
      percentiles.put(Double.toString(rank), rounded(all.getPercentile(rank)));
    }
    metric.put("n", values.size());
    metric.set("iterations", iterations);
    return metric;
  }

  /** To six digits: nothing here is known better. */
  private static double rounded(double value) {
    return Double.isNaN(value) || value == 0
        ? value
        : new java.math.BigDecimal(value).round(new java.math.MathContext(6)).doubleValue();
  }
}
