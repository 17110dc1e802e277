// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.LiveFigure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All that was measured. A contender's ratio is taken within a turn, of slots that lie beside each
 * other: the speed of a machine wanders from one minute to the next.
 */
final class Measured {
  /** Which figures have a ratio to the stock broker's. */
  private static final Map<LiveFigure, LiveFigure> RATIOS =
      Map.of(
          LiveFigure.CPU, LiveFigure.CPU_RATIO,
          LiveFigure.JAVA_CPU, LiveFigure.JAVA_CPU_RATIO,
          LiveFigure.ALLOCATED, LiveFigure.ALLOCATED_RATIO,
          LiveFigure.VALIDATOR_CPU, LiveFigure.VALIDATOR_CPU_RATIO);

  private final Map<Key, Series> series = new LinkedHashMap<>();

  /** Who did what. */
  private record Key(Cell cell, BrokerContender contender) {}

  /** Values of each figure, a list per round. */
  record Series(Map<LiveFigure, List<List<Double>>> values) {
    private void add(int round, LiveFigure figure, double value) {
      List<List<Double>> rounds = values.computeIfAbsent(figure, any -> new ArrayList<>());
      while (rounds.size() <= round) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(value);
    }
  }

  /** Adds what one turn tells of a cell. */
  void add(int round, Cell cell, Map<BrokerContender, Map<LiveFigure, Double>> turn) {
    Map<LiveFigure, Double> kafka = turn.getOrDefault(BrokerContender.KAFKA, Map.of());
    turn.forEach(
        (contender, values) -> {
          Series own = series(cell, contender);
          values.forEach((figure, value) -> own.add(round, figure, value));
          if (contender != BrokerContender.KAFKA) {
            RATIOS.forEach(
                (figure, ratio) ->
                    addRatio(own, round, ratio, values.get(figure), kafka.get(figure)));
          }
        });
  }

  /** A profile may have seen nothing of a validator: no ratio tells of that. */
  private static void addRatio(
      Series series, int round, LiveFigure ratio, @Nullable Double value, @Nullable Double base) {
    if (value != null && base != null && base > 0) {
      series.add(round, ratio, value / base);
    }
  }

  private Series series(Cell cell, BrokerContender contender) {
    return series.computeIfAbsent(
        new Key(cell, contender), any -> new Series(new EnumMap<>(LiveFigure.class)));
  }

  /** Gives all in the order in which it was added, contenders of a cell in theirs. */
  void forEach(BiConsumer<Map<String, String>, Series> reader) {
    series.forEach(
        (key, values) -> {
          Map<String, String> fields = new LinkedHashMap<>(key.cell().fields());
          fields.put("contender", key.contender().name());
          reader.accept(fields, values);
        });
  }
}
