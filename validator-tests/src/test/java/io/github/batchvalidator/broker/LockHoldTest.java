// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.BrokerBeans;
import io.github.batchvalidator.bench.broker.BrokerProcess;
import io.github.batchvalidator.bench.broker.GuestMemory;
import io.github.batchvalidator.dropin.DropInMXBean;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures for how long a live broker holds the lock of a hot partition, stock, with our jar, and
 * with the agent; with {@code -Dlock.hold=FILE} writes it down ({@code config/lock-hold}).
 */
@Tag("slow")
class LockHoldTest {
  private static final int ROUNDS = Integer.getInteger("lock.rounds", 3);
  private static final long WARM_UP_MS = 1000L * Integer.getInteger("lock.warmup", 15);
  private static final long MEASURE_MS = 1000L * Integer.getInteger("lock.seconds", 15);
  private static final String LINE = System.getProperty("lock.line", "4.3");

  /** Too few to be the one append in a hundred that holds the lock for longest. */
  private static final double MOST_FALLBACKS = 0.001;

  private static final String HEAD =
      """
      | broker | appends/s | p50 | p99 | p99.9 | longest | CPU p50 | CPU p99 | held of the time |
      |---|---:|---:|---:|---:|---:|---:|---:|---:|
      """;

  @TempDir private Path folder;

  private final StringBuilder stamps = new StringBuilder();

  private enum Contender {
    STOCK("stock"),
    JAR("drop-in jar"),
    AGENT("drop-in jar and agent");

    private final String label;

    Contender(String label) {
      this.label = label;
    }

    List<Path> classPath() throws IOException {
      return this == STOCK ? BuiltJars.stock(LINE) : BuiltJars.ours(LINE);
    }
  }

  @Test
  void measure() throws Exception {
    byte[][] batches = LockHoldRun.batches();
    GuestMemory.touch(folder);
    Map<Contender, List<LockHoldFigures>> all = new EnumMap<>(Contender.class);
    StringBuilder rounds = new StringBuilder();
    for (int round = 1; round <= ROUNDS; round++) {
      for (Contender contender : Contender.values()) {
        LockHoldFigures figures = run(contender, round, batches);
        all.computeIfAbsent(contender, it -> new ArrayList<>()).add(figures);
        rounds.append(figures.toRow(contender.label + ", round " + round));
      }
    }
    String table =
        table(batches, all) + rounds + "\nOf the appends, warm-up included:\n\n" + stamps;
    String file = System.getProperty("lock.hold");
    if (file != null) {
      Files.writeString(Path.of("..").resolve(file), table);
    }
    System.out.println(table);
    assertTrue(median(all, Contender.AGENT).p50() < median(all, Contender.STOCK).p50(), table);
  }

  private static LockHoldFigures median(
      Map<Contender, List<LockHoldFigures>> all, Contender contender) {
    return LockHoldFigures.median(Objects.requireNonNull(all.get(contender)));
  }

  private LockHoldFigures run(Contender contender, int round, byte[][] batches) throws Exception {
    Path place = Files.createDirectory(folder.resolve(contender + "-" + round));
    Path counts = place.resolve("lock-hold.txt");
    List<String> options = new ArrayList<>();
    options.add("-javaagent:" + AgentJar.write(place.resolve("lock-hold.jar")) + "=" + counts);
    if (contender == Contender.AGENT) {
      options.add(BuiltJars.agent());
    }
    try (BrokerProcess broker = BrokerProcess.start(place, contender.classPath(), options)) {
      LockHoldFigures figures =
          new LockHoldRun(broker, counts).measure(batches, WARM_UP_MS, MEASURE_MS);
      if (contender != Contender.STOCK) {
        stamps.append("- ").append(contender.label).append(", round ").append(round);
        stamps.append(": ").append(checkCounts(broker, contender)).append('\n');
      }
      return figures;
    } finally {
      delete(place.resolve("data"));
    }
  }

  /** Else another thing would be measured than the table says. */
  private static String checkCounts(BrokerProcess broker, Contender contender) throws Exception {
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      DropInMXBean counts = beans.dropIn();
      long stamped = counts.getOffLockStamped();
      long others = counts.getAccepted() - stamped;
      if (contender == Contender.AGENT) {
        assertTrue(others <= MOST_FALLBACKS * stamped, () -> "" + counts.getOffLockFallbacks());
      } else {
        assertEquals(0, stamped);
      }
      return "%d only stamped under the lock, %d inspected there %s"
          .formatted(stamped, others, counts.getOffLockFallbacks());
    }
  }

  /** A round writes gigabytes. */
  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String table(byte[][] batches, Map<Contender, List<LockHoldFigures>> all) {
    StringBuilder text = new StringBuilder();
    text.append("Kafka ").append(LINE).append(", JDK ").append(System.getProperty("java.version"));
    text.append(", ").append(Runtime.getRuntime().availableProcessors()).append(" processors; ");
    text.append(LockHoldRun.PRODUCERS).append(" connections to one partition, acks=all, gzip, ");
    text.append(batches[0].length).append(" bytes a batch. Microseconds that the lock was held,\n");
    text.append("and that its holder worked meanwhile.\n\n");
    text.append(HEAD);
    all.forEach((it, runs) -> text.append(LockHoldFigures.median(runs).toRow(it.label)));
    return text.append("\nSingle rounds, in the order in which they ran by turns:\n\n")
        .append(HEAD)
        .toString();
  }
}
