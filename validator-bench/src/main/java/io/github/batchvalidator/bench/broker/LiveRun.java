// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures all cells, round by round. A round starts one broker per contender and keeps it: a new
 * broker per slot would spend most of the slot in the JIT, and one broker for all rounds would
 * measure a single layout of compiled code. In a turn of a cell each contender has one slot; the
 * next turn reverses the order. The first slots of a cell are not counted: they determine how much
 * the other slots produce.
 */
final class LiveRun {
  /** Lets the profiler attribute time between two safepoints. */
  private static final List<String> PROFILED =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

  private final Options options;
  private final BrokerJars jars;
  private final Path folder;
  private final LoadGenerator load;

  LiveRun(Options options, BrokerJars jars, Path folder) throws IOException {
    this.options = options;
    this.jars = jars;
    this.folder = folder;
    load = new LoadGenerator(jars.stock(LoadGenerator.LINE), folder);
  }

  /** Returns the lengths of rounds, turns and slots for readers. */
  String description() {
    return "%d, each with new brokers, %d turns of a cell; a slot is %d s, at full speed %d MiB at most"
        .formatted(
            options.rounds(),
            options.turns(),
            options.slot().seconds(),
            options.slot().bytes() >> 20);
  }

  /** The work of a round on one cell whose brokers are warm. */
  private interface Work {
    void run(Warm cell) throws Exception;
  }

  /** A cell whose brokers have had their first slots, and the records of every other slot. */
  private record Warm(LiveBrokers brokers, Cell cell, List<BrokerBuild> contenders, long records) {}

  /** Receives the figures of all rounds so far. */
  interface Kept {
    void rounds(Measured measured, int rounds) throws IOException;
  }

  /** Measures all rounds and hands over the figures after each, because the next may fail. */
  Measured measure(Kept kept) throws Exception {
    Measured measured = new Measured();
    for (int i = 0; i < options.rounds(); i++) {
      int round = i;
      round("round " + (i + 1), List.of(), cell -> turns(cell, round, measured));
      kept.rounds(measured, i + 1);
    }
    return measured;
  }

  private void turns(Warm cell, int round, Measured measured) throws Exception {
    List<BrokerBuild> order = new ArrayList<>(cell.contenders());
    for (int turn = 0; turn < options.turns(); turn++) {
      measured.add(round, cell.cell(), slots(order, each -> counted(cell, each)));
      Collections.reverse(order);
    }
  }

  /** One slot of a broker under load. */
  private interface Slot {
    Map<LiveFigure, Double> of(BrokerBuild contender) throws Exception;
  }

  private static Map<BrokerBuild, Map<LiveFigure, Double>> slots(List<BrokerBuild> order, Slot slot)
      throws Exception {
    Map<BrokerBuild, Map<LiveFigure, Double>> figures = new EnumMap<>(BrokerBuild.class);
    for (BrokerBuild each : order) {
      writeBack();
      figures.put(each, slot.of(each));
    }
    return figures;
  }

  private Map<LiveFigure, Double> counted(Warm cell, BrokerBuild contender)
      throws IOException, InterruptedException {
    Usage before = cell.brokers().usage(contender);
    Produced produced = produce(cell, contender);
    return cell.brokers().usage(contender).figuresSince(before, produced, cell.cell().valueBytes());
  }

  /** Without it a slot pays for dirty pages of the slot before, up to three times its CPU. */
  private static void writeBack() throws IOException, InterruptedException {
    int code = new ProcessBuilder("sync").inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("sync ended with " + code);
    }
  }

  private Produced produce(Warm cell, BrokerBuild contender)
      throws IOException, InterruptedException {
    return produce(cell.brokers(), contender, cell.cell(), cell.records());
  }

  private Produced produce(LiveBrokers brokers, BrokerBuild contender, Cell cell, long records)
      throws IOException, InterruptedException {
    return load.run(brokers.process(contender).address(), topic(cell), cell, records);
  }

  private String topic(Cell cell) {
    return "cell-" + options.cells().indexOf(cell);
  }

  /**
   * Adds the validator's part of each cell, from a round of its own, because the profiler slows the
   * brokers. CPU is profiled in as many turns as it is measured, allocation once: it hardly varies.
   *
   * @param library of async-profiler
   * @param flames the folder of the flame graphs
   */
  void profile(Measured measured, Path library, Path flames) throws Exception {
    Profiler profiler = new Profiler(library, Files.createDirectories(flames));
    round(
        "profile",
        PROFILED,
        cell -> {
          List<BrokerBuild> order = new ArrayList<>(cell.contenders());
          for (int turn = 0; turn < options.turns(); turn++) {
            profile(cell, Profiler.Event.CPU, order, profiler, measured);
            Collections.reverse(order);
          }
          profile(cell, Profiler.Event.ALLOCATED, order, profiler, measured);
        });
  }

  private void profile(
      Warm cell,
      Profiler.Event event,
      List<BrokerBuild> order,
      Profiler profiler,
      Measured measured)
      throws Exception {
    Slot slot =
        each ->
            profiler.slot(
                event, cell.cell(), each, cell.brokers().process(each), () -> produce(cell, each));
    measured.add(0, cell.cell(), slots(order, slot));
  }

  private void round(String name, List<String> jvmOptions, Work work) throws Exception {
    Set<BrokerBuild> all = EnumSet.noneOf(BrokerBuild.class);
    options.cells().forEach(cell -> all.addAll(contenders(cell)));
    Path own = Files.createDirectory(folder.resolve(name.replace(' ', '-')));
    try (LiveBrokers brokers = LiveBrokers.start(all, jars, options.line(), jvmOptions, own)) {
      // A first cell, which is not counted, compiles the code that all cells share.
      cell(brokers, options.cells().get(0), List.copyOf(all), this::produceOnce);
      for (Cell cell : options.cells()) {
        System.err.printf("bench: %s, %s%n", name, cell);
        cell(brokers, cell, contenders(cell), work);
      }
      brokers.requireOwnValidators();
    }
  }

  private void produceOnce(Warm cell) throws IOException, InterruptedException {
    for (BrokerBuild each : cell.contenders()) {
      produce(cell, each);
    }
  }

  private void cell(LiveBrokers brokers, Cell cell, List<BrokerBuild> contenders, Work work)
      throws Exception {
    double slowest = Double.MAX_VALUE;
    for (BrokerBuild each : contenders) {
      brokers.createTopic(each, topic(cell), cell);
      Produced first = produce(brokers, each, cell, options.slot().firstRecords(cell));
      slowest = Math.min(slowest, first.recordsPerSecond());
    }
    work.run(new Warm(brokers, cell, contenders, options.slot().records(cell, slowest)));
    for (BrokerBuild each : contenders) {
      brokers.deleteTopic(each, topic(cell));
    }
  }

  private List<BrokerBuild> contenders(Cell cell) {
    return Stream.of(BrokerBuild.values())
        .filter(each -> each.exists(options.line()) && cell.includes(each))
        .toList();
  }
}
