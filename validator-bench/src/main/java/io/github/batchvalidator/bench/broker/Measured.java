// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.LiveFigure.Better;
import io.github.batchvalidator.bench.report.Publication;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of all slots. The ratio of a contender to the stock broker is taken within a round,
 * of adjacent slots, because the speed of a machine changes from one minute to the next.
 */
final class Measured {
  /**
   * The rate of the stock broker at full speed.
   *
   * @param brokerBusy the part of a processor that it used, in percent
   * @param producersBusy the part of a processor that the producers used, in percent
   */
  record Maximum(double recordsPerSecond, double brokerBusy, double producersBusy) {}

  /** The values of the slots of a cell. */
  record Range(double median, double least, double largest, int count) {}

  /** The slots of one contender in one cell; values and ratios have a list per round. */
  private record Series(
      Map<LiveFigure, List<List<Double>>> values,
      Map<LiveFigure, List<List<Double>>> ratios,
      Histogram latencies) {
    static Series empty() {
      return new Series(
          new EnumMap<>(LiveFigure.class), new EnumMap<>(LiveFigure.class), Latencies.empty());
    }
  }

  private final Map<Cell, Map<BrokerBuild, Series>> series = new LinkedHashMap<>();
  private final Map<Cell, Maximum> maxima = new LinkedHashMap<>();

  /** Adds one slot of each contender. */
  void add(int round, Cell cell, Map<BrokerBuild, SlotFigures> slots) {
    SlotFigures none = new SlotFigures(Map.of(), Latencies.empty());
    Map<LiveFigure, Double> stock = slots.getOrDefault(BrokerBuild.KAFKA, none).values();
    slots.forEach(
        (contender, slot) -> {
          Series own =
              series
                  .computeIfAbsent(cell, any -> new EnumMap<>(BrokerBuild.class))
                  .computeIfAbsent(contender, any -> Series.empty());
          own.latencies.add(slot.latencies());
          slot.values()
              .forEach(
                  (figure, value) -> {
                    add(round, own.values, figure, value);
                    Double base = stock.get(figure);
                    // Not finite if a slot of the stock broker has no lock wait, say.
                    if (figure.better() != Better.NEITHER
                        && base != null
                        && contender != BrokerBuild.KAFKA) {
                      add(round, own.ratios, figure, value / base);
                    }
                  });
        });
  }

  private static void add(
      int round, Map<LiveFigure, List<List<Double>>> to, LiveFigure figure, double value) {
    List<List<Double>> rounds = to.computeIfAbsent(figure, any -> new ArrayList<>());
    while (rounds.size() <= round) {
      rounds.add(new ArrayList<>());
    }
    rounds.get(round).add(value);
  }

  void setMaximum(Cell fullSpeed, Maximum maximum) {
    maxima.put(fullSpeed, maximum);
  }

  /** Returns the maxima by the cell at full speed. */
  Map<Cell, Maximum> maxima() {
    return Collections.unmodifiableMap(maxima);
  }

  Set<Cell> cells() {
    return Collections.unmodifiableSet(series.keySet());
  }

  Set<BrokerBuild> contenders(Cell cell) {
    return Collections.unmodifiableSet(series.getOrDefault(cell, Map.of()).keySet());
  }

  /**
   * Returns the values of a figure, or nothing if it was not measured. A percentile is that of all
   * slots together, instead of the median of theirs.
   */
  Optional<Range> values(Cell cell, BrokerBuild contender, LiveFigure figure) {
    Series own = series(cell, contender);
    return range(all(own.values, figure))
        .map(
            each ->
                figure.isLatency()
                    ? new Range(
                        Latencies.ms(own.latencies, figure.percentile()),
                        each.least(),
                        each.largest(),
                        each.count())
                    : each);
  }

  /** Returns the ratios to the stock broker, if there are any. A value of 0 has none. */
  Optional<Range> ratios(Cell cell, BrokerBuild contender, LiveFigure figure) {
    return range(all(series(cell, contender).ratios, figure).filter(Double::isFinite));
  }

  /**
   * Returns the ratios of all rounds. A ratio is 1 if both brokers have 0, and infinite if only the
   * stock broker has 0.
   */
  Optional<Range> ratiosOfAllRounds(Cell cell, BrokerBuild contender, LiveFigure figure) {
    return range(
        all(series(cell, contender).ratios, figure).map(each -> Double.isNaN(each) ? 1 : each));
  }

  private Series series(Cell cell, BrokerBuild contender) {
    return series.getOrDefault(cell, Map.of()).getOrDefault(contender, Series.empty());
  }

  private static DoubleStream all(Map<LiveFigure, List<List<Double>>> rounds, LiveFigure figure) {
    return rounds.getOrDefault(figure, List.of()).stream()
        .flatMap(List::stream)
        .mapToDouble(Double::doubleValue);
  }

  private static Optional<Range> range(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int count = sorted.length;
    return count == 0
        ? Optional.empty()
        : Optional.of(
            new Range(
                (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
                sorted[0],
                sorted[count - 1],
                count));
  }

  /**
   * Returns rows in JMH's form: CPU per GB is the primary metric, a slot is an iteration, and a
   * round is a fork.
   *
   * @param jvmArgs of the brokers
   */
  List<JsonNode> rows(int rounds, List<String> jvmArgs) {
    List<JsonNode> rows = new ArrayList<>();
    series.forEach(
        (cell, contenders) ->
            contenders.forEach(
                (contender, own) -> {
                  ObjectNode row = JsonNodeFactory.instance.objectNode();
                  row.put("benchmark", "io.github.batchvalidator.bench.broker.LiveBroker.produce");
                  row.put("mode", "avgt").put("threads", 1).put("forks", rounds);
                  row.put("vmName", System.getProperty("java.vm.name"));
                  row.put("vmVersion", System.getProperty("java.vm.version"));
                  jvmArgs.forEach(row.putArray("jvmArgs")::add);
                  ObjectNode params = row.putObject("params");
                  cell.fields().forEach(params::put);
                  params.put("contender", contender.name());
                  addMetrics(row, own);
                  rows.add(row);
                }));
    return rows;
  }

  private static void addMetrics(ObjectNode row, Series own) {
    ObjectNode secondary = row.putObject("secondaryMetrics");
    own.values.forEach(
        (figure, each) -> {
          ObjectNode metric = Publication.metric(figure.unit(), each);
          if (figure == LiveFigure.CPU) {
            row.set("primaryMetric", metric);
          } else {
            secondary.set(figure.key(), metric);
          }
          if (figure.isLatency()) {
            metric.put("score", Latencies.ms(own.latencies, figure.percentile()));
          }
        });
    own.ratios.forEach(
        (figure, each) -> {
          List<List<Double>> finite = each.stream().map(Measured::finite).toList();
          if (!finite.stream().allMatch(List::isEmpty)) {
            secondary.set(figure.key() + "Ratio", Publication.metric("x", finite));
          }
        });
  }

  private static List<Double> finite(List<Double> round) {
    return round.stream().filter(Double::isFinite).toList();
  }
}
