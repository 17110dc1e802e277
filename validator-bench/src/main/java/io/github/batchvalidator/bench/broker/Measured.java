// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.LiveFigure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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
          LiveFigure.ALLOCATED, LiveFigure.ALLOCATED_RATIO);

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

  /** Adds one turn. */
  void add(int round, Cell cell, Map<BrokerContender, Figures> turn) {
    turn.forEach(
        (contender, figures) -> {
          Map<LiveFigure, Double> values = figures.values();
          values.forEach((figure, value) -> series(cell, contender).add(round, figure, value));
          Figures kafka = turn.get(BrokerContender.KAFKA);
          if (kafka != null && contender != BrokerContender.KAFKA) {
            Map<LiveFigure, Double> base = kafka.values();
            RATIOS.forEach(
                (figure, ratio) ->
                    series(cell, contender)
                        .add(round, ratio, value(values, figure) / value(base, figure)));
          }
        });
  }

  private static double value(Map<LiveFigure, Double> values, LiveFigure figure) {
    return values.getOrDefault(figure, Double.NaN);
  }

  /** Adds a share of a profile. */
  void addShare(Cell cell, BrokerContender contender, LiveFigure figure, double share) {
    series(cell, contender).add(0, figure, share);
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
