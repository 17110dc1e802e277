// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.broker.Measured.Maximum;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures all cells, round by round. A round starts one broker per contender and keeps it: a new
 * broker per slot would spend most of the slot in the JIT, and one broker for all rounds would
 * measure a single layout of compiled code. In a cell of a round each contender has one slot; the
 * order changes from cell to cell and from round to round. The first slots of a topic are at full
 * speed and not counted.
 */
final class LiveRun implements AutoCloseable {
  /** Lets the profiler attribute time between two safepoints. */
  private static final List<String> PROFILED =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

  /** The length of a slot that is not counted. */
  private static final double WARM_UP_SECONDS = 3;

  /** The number of such slots for the first topic. They compile the code that all topics share. */
  private static final int FIRST_WARM_UPS = 4;

  private static final double PERCENT = 100;

  private final Options options;
  private final BrokerJars jars;
  private final Path folder;
  private final SlotFile slots;
  private final Processors processors;
  private final LoadGenerator load;
  private final List<Cell> topics;

  /**
   * Prepares a run.
   *
   * @param folder for brokers
   * @param slots what is measured already, and takes the rest
   */
  LiveRun(Options options, BrokerJars jars, Path folder, SlotFile slots)
      throws IOException, InterruptedException {
    this.options = options;
    this.jars = jars;
    this.folder = folder;
    this.slots = slots;
    processors = Processors.available();
    load = new LoadGenerator(folder);
    topics = options.cells().stream().map(Cell::maximum).distinct().toList();
  }

  /** Returns facts for the machine sheet, by name. */
  Map<String, String> description() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "load", "batches made beforehand of JSON events, acks=all, 5 requests in flight at most");
    facts.put(
        "rounds",
        "%d, each with new brokers, one slot per cell; %s"
            .formatted(options.rounds(), options.settings()));
    facts.put("processors", processors.description());
    return facts;
  }

  /** A cell in a round, with its brokers. */
  private record Turn(int round, LiveBrokers brokers, Cell cell) {}

  /** The work on one cell whose brokers are warm. */
  private interface Work {
    void run(Turn turn) throws Exception;
  }

  /** Is called after each round, because the next may fail. */
  interface Kept {
    void round() throws IOException;
  }

  /** Measures what the file of slots does not have. */
  void measure(Kept kept) throws Exception {
    for (int i = 0; i < options.rounds(); i++) {
      int round = i;
      List<Cell> cells = options.cells().stream().filter(cell -> !slots.has(round, cell)).toList();
      if (!cells.isEmpty()) {
        round(round, "round-" + (round + 1), List.of(), cells, this::counted);
        kept.round();
      }
    }
  }

  private void counted(Turn turn) throws Exception {
    slots.add(turn.round(), turn.cell(), slots(turn, each -> counted(turn, each)));
  }

  /** One slot of a broker under load. */
  private interface Slot {
    SlotFigures of(BrokerBuild contender) throws Exception;
  }

  private Map<BrokerBuild, SlotFigures> slots(Turn turn, Slot slot) throws Exception {
    Map<BrokerBuild, SlotFigures> figures = new EnumMap<>(BrokerBuild.class);
    for (BrokerBuild each : order(turn)) {
      writeBack();
      figures.put(each, slot.of(each));
    }
    return figures;
  }

  /** Each contender comes first, last and after each other one at times. */
  private List<BrokerBuild> order(Turn turn) {
    List<BrokerBuild> order = new ArrayList<>(contenders());
    Collections.rotate(order, turn.round() + options.cells().indexOf(turn.cell()));
    if (turn.round() % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }

  private SlotFigures counted(Turn turn, BrokerBuild contender)
      throws IOException, InterruptedException {
    Usage before = turn.brokers().usage(contender);
    long producersBefore = load.cpuNanos();
    long start = System.nanoTime();
    Produced produced = produce(turn, contender);
    double nanos = System.nanoTime() - start;
    Usage after = turn.brokers().usage(contender);
    long producers = load.cpuNanos() - producersBefore;
    Map<LiveFigure, Double> figures =
        after.figuresSince(before, produced, turn.cell().valueBytes());
    figures.put(LiveFigure.BUSY, PERCENT * after.cpuNanosSince(before) / nanos);
    figures.put(LiveFigure.PRODUCERS_BUSY, PERCENT * producers / nanos);
    return new SlotFigures(figures, produced.latencies());
  }

  /** Without it a slot pays for dirty pages of the slot before, up to three times its CPU. */
  private static void writeBack() throws IOException, InterruptedException {
    int code = new ProcessBuilder("sync").inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("sync ended with " + code);
    }
  }

  private Produced produce(Turn turn, BrokerBuild contender) throws IOException {
    return produce(turn, contender, options.slot().seconds());
  }

  private Produced produce(Turn turn, BrokerBuild contender, double seconds) throws IOException {
    Cell cell = turn.cell();
    Maximum maximum = slots.measured().maxima().get(cell.maximum());
    if (maximum == null && cell.percent() != Cell.FULL_SPEED) {
      throw new IllegalStateException("no maximum of " + cell);
    }
    // At full speed the percentage is 0.
    double rate = maximum == null ? 0 : maximum.recordsPerSecond() * cell.percent() / PERCENT;
    int port = turn.brokers().process(contender).port();
    return load.run(new LoadOrder(port, topic(cell), cell, rate, seconds, options.slot().bytes()));
  }

  private String topic(Cell cell) {
    return "cell-" + topics.indexOf(cell.maximum());
  }

  /**
   * Adds the validator's part of each cell, from a round of its own, because the profiler slows the
   * brokers.
   *
   * @param library of async-profiler
   * @param flames the folder of the flame graphs
   */
  void profile(Path library, Path flames) throws Exception {
    Profiler profiler = new Profiler(library, Files.createDirectories(flames));
    Work work =
        turn -> {
          for (Profiler.Event event : Profiler.Event.values()) {
            Slot slot =
                each ->
                    profiler.slot(
                        event,
                        turn.cell(),
                        each,
                        turn.brokers().process(each),
                        () -> produce(turn, each));
            slots.measured().add(0, turn.cell(), slots(turn, slot));
          }
        };
    round(0, "profile", PROFILED, options.cells(), work);
  }

  private void round(int round, String name, List<String> jvmOptions, List<Cell> cells, Work work)
      throws Exception {
    Path own = Files.createDirectory(folder.resolve(name));
    try (LiveBrokers brokers =
        LiveBrokers.start(contenders(), jars, options.line(), jvmOptions, own)) {
      boolean isFirst = true;
      for (Cell topic : topics) {
        List<Cell> ofTopic = cells.stream().filter(each -> each.maximum().equals(topic)).toList();
        if (!ofTopic.isEmpty()) {
          warmUp(new Turn(round, brokers, topic), isFirst, ofTopic);
          isFirst = false;
          for (Cell cell : ofTopic) {
            System.err.printf("bench: %s, %s%n", name, cell);
            work.run(new Turn(round, brokers, cell));
          }
          for (BrokerBuild each : contenders()) {
            brokers.deleteTopic(each, topic(topic));
          }
        }
      }
    }
  }

  /** Creates the topic, compiles the code that its cells need, and measures the maximum once. */
  private void warmUp(Turn turn, boolean isFirst, List<Cell> cells) throws Exception {
    for (BrokerBuild each : contenders()) {
      turn.brokers().createTopic(each, topic(turn.cell()), turn.cell());
    }
    // On all processors: the JIT would need most of a single one.
    pin(turn.brokers(), false);
    for (int i = isFirst ? FIRST_WARM_UPS : 1; i > 0; i--) {
      for (BrokerBuild each : order(turn)) {
        produce(turn, each, WARM_UP_SECONDS);
      }
    }
    // Before anything is kept: a resumed run publishes what was kept.
    turn.brokers().requireOwnValidators(turn.cell().isInPlace());
    pin(turn.brokers(), turn.cell().isPinned());
    boolean needsMaximum = cells.stream().anyMatch(each -> each.percent() != Cell.FULL_SPEED);
    if (needsMaximum && !slots.measured().maxima().containsKey(turn.cell())) {
      writeBack();
      Map<LiveFigure, Double> figures = counted(turn, BrokerBuild.KAFKA).values();
      slots.add(
          turn.cell(),
          new Maximum(
              value(figures, LiveFigure.RATE),
              value(figures, LiveFigure.BUSY),
              value(figures, LiveFigure.PRODUCERS_BUSY)));
    }
  }

  private void pin(LiveBrokers brokers, boolean isPinned) throws IOException, InterruptedException {
    processors.pin(load.pid(), isPinned ? processors.ofProducers() : processors.all());
    for (BrokerBuild each : contenders()) {
      long pid = brokers.process(each).pid();
      processors.pin(pid, isPinned ? processors.ofBrokers() : processors.all());
    }
  }

  private static double value(Map<LiveFigure, Double> figures, LiveFigure figure) {
    return figures.getOrDefault(figure, Double.NaN);
  }

  private List<BrokerBuild> contenders() {
    return Stream.of(BrokerBuild.values()).filter(each -> each.exists(options.line())).toList();
  }

  @Override
  public void close() {
    load.close();
  }
}
