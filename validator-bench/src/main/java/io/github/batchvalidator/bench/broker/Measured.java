// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * All that was measured. A contender's ratio is taken within a turn, of slots that lie beside each
 * other: the speed of a machine wanders from one minute to the next.
 */
final class Measured {
  /** Which figures have a ratio to the stock broker's, and how it is called. */
  private static final Map<String, String> RATIOS =
      Map.of(
          Figures.CPU, "cpuRatio",
          Figures.JAVA_CPU, "javaCpuRatio",
          Figures.ALLOCATED, "allocatedRatio");

  private final Map<Key, Series> series = new LinkedHashMap<>();

  /** Who did what. */
  private record Key(Cell cell, BrokerContender contender) {}

  /** Values by name, each a list of the values of every round. */
  record Series(Map<String, List<List<Double>>> values) {
    private void add(int round, String name, double value) {
      List<List<Double>> rounds = values.computeIfAbsent(name, any -> new ArrayList<>());
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
          Map<String, Double> values = figures.byName();
          values.forEach((name, value) -> series(cell, contender).add(round, name, value));
          Figures kafka = turn.get(BrokerContender.KAFKA);
          if (kafka != null && contender != BrokerContender.KAFKA) {
            Map<String, Double> base = kafka.byName();
            RATIOS.forEach(
                (name, ratio) ->
                    series(cell, contender)
                        .add(round, ratio, value(values, name) / value(base, name)));
          }
        });
  }

  private static double value(Map<String, Double> values, String name) {
    return values.getOrDefault(name, Double.NaN);
  }

  /** Adds a share of a profile. */
  void addShare(Cell cell, BrokerContender contender, String name, double share) {
    series(cell, contender).add(0, name, share);
  }

  private Series series(Cell cell, BrokerContender contender) {
    return series.computeIfAbsent(
        new Key(cell, contender), any -> new Series(new LinkedHashMap<>()));
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
