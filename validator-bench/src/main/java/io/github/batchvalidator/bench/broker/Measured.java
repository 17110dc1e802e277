// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.Publication;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of all slots. The ratio of a contender to the stock broker is taken within a turn, of
 * adjacent slots, because the speed of a machine changes from one minute to the next.
 */
final class Measured {
  /** The figures that have a ratio. */
  private static final Map<LiveFigure, LiveFigure> RATIOS =
      Map.of(
          LiveFigure.CPU, LiveFigure.CPU_RATIO,
          LiveFigure.JAVA_CPU, LiveFigure.JAVA_CPU_RATIO,
          LiveFigure.ALLOCATED, LiveFigure.ALLOCATED_RATIO,
          LiveFigure.VALIDATOR_CPU, LiveFigure.VALIDATOR_CPU_RATIO);

  /** The values of each figure, one list per round, by the cell and its contender. */
  private final Map<Map<String, String>, Map<LiveFigure, List<List<Double>>>> values =
      new LinkedHashMap<>();

  /** Adds the figures of one turn of a cell. */
  void add(int round, Cell cell, Map<BrokerBuild, Map<LiveFigure, Double>> turn) {
    Map<LiveFigure, Double> stock = turn.getOrDefault(BrokerBuild.KAFKA, Map.of());
    turn.forEach(
        (contender, figures) ->
            figures.forEach(
                (figure, value) -> {
                  add(round, cell, contender, figure, value);
                  LiveFigure ratio = RATIOS.get(figure);
                  double base = stock.getOrDefault(figure, 0.0);
                  // A profile that saw nothing of the stock validator has no ratio.
                  if (ratio != null && base > 0 && contender != BrokerBuild.KAFKA) {
                    add(round, cell, contender, ratio, value / base);
                  }
                }));
  }

  private void add(int round, Cell cell, BrokerBuild contender, LiveFigure figure, double value) {
    Map<String, String> key = new LinkedHashMap<>(cell.fields());
    key.put("contender", contender.name());
    List<List<Double>> rounds =
        values
            .computeIfAbsent(key, any -> new EnumMap<>(LiveFigure.class))
            .computeIfAbsent(figure, any -> new ArrayList<>());
    while (rounds.size() <= round) {
      rounds.add(new ArrayList<>());
    }
    rounds.get(round).add(value);
  }

  /**
   * Returns rows in JMH's form: CPU per GB is the primary metric, a slot is an iteration, and a
   * round is a fork.
   *
   * @param jvmArgs of the brokers
   */
  List<JsonNode> rows(int rounds, List<String> jvmArgs) {
    List<JsonNode> rows = new ArrayList<>();
    values.forEach(
        (fields, figures) -> {
          ObjectNode row = JsonNodeFactory.instance.objectNode();
          row.put("benchmark", "io.github.batchvalidator.bench.broker.LiveBroker.produce");
          row.put("mode", "avgt").put("threads", 1).put("forks", rounds);
          row.put("vmName", System.getProperty("java.vm.name"));
          row.put("vmVersion", System.getProperty("java.vm.version"));
          jvmArgs.forEach(row.putArray("jvmArgs")::add);
          fields.forEach(row.putObject("params")::put);
          ObjectNode secondary = row.putObject("secondaryMetrics");
          figures.forEach(
              (figure, each) -> {
                ObjectNode metric = Publication.metric(figure.unit(), each);
                if (figure == LiveFigure.CPU) {
                  row.set("primaryMetric", metric);
                } else {
                  secondary.set(figure.key(), metric);
                }
              });
          rows.add(row);
        });
    return rows;
  }
}
