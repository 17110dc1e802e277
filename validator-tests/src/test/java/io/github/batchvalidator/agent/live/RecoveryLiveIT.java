// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testing.Folders;
import io.github.batchvalidator.testing.PageCache;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A live broker with many partitions is killed with {@code kill -9}. Stock Kafka and the agent
 * recover the same bytes to the same files, also after kills during recovery. {@code
 * scripts/recovery-live} measures how long the starts take.
 */
@Tag("broker")
class RecoveryLiveIT {
  private static final int MEBIBYTES = Integer.getInteger("live.mebibytes", 4);
  private static final int PARTITIONS = Integer.getInteger("live.partitions", 60);
  private static final int ROUNDS = Integer.getInteger("live.rounds", 3);
  private static final BatchSize SIZE =
      BatchSize.valueOf(System.getProperty("live.batches", "small").toUpperCase(Locale.ROOT));
  private static final String CGROUP = System.getProperty("live.cgroup", "");

  /** Kafka's default, and one that is quick to copy and to compare. */
  private static final int MEASURED_INDEX_BYTES = 10 << 20;

  private static final int INDEX_BYTES = 1 << 16;

  /** A file that the new leader writes soon after the start. */
  private static final String EPOCHS = "leader-epoch-checkpoint";

  @TempDir private Path root;

  @Test
  @Tag("slow")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void startsWithTheSameFilesAsStockKafka() throws Exception {
    CrashedBroker crashed = fill(Lines.measuredJars(), MEASURED_INDEX_BYTES);
    LiveReport report = new LiveReport();
    for (int round = 1; round <= ROUNDS; round++) {
      for (String disk : disks()) {
        // The order changes, so that neither always runs on what the other has left.
        for (boolean withAgent : List.of(round % 2 == 0, round % 2 != 0)) {
          LiveStart start = start(crashed, disk, withAgent);
          report.add(disk, round, withAgent, start);
          assertEquals(0, start.left());
          assertTrue(withAgent == start.recovered() >= PARTITIONS, start::toString);
        }
        assertEquals("", difference(folder(false), folder(true)));
        Folders.delete(folder(false));
        Folders.delete(folder(true));
      }
    }
    String text = report.text(head(crashed.bytes()));
    System.out.println(text);
    String file = System.getProperty("live.report", "");
    if (!file.isEmpty()) {
      Files.writeString(Path.of(file), text);
    }
  }

  private CrashedBroker fill(BrokerJars jars, int indexBytes) throws Exception {
    return new CrashedBroker(jars, root.resolve("crashed"))
        .fill(SIZE, PARTITIONS, (long) MEBIBYTES << 20, indexBytes);
  }

  private static List<String> disks() {
    List<String> disks = new ArrayList<>(List.of("warm", "cold"));
    if (!CGROUP.isEmpty()) {
      disks.add("throttled");
    }
    return disks;
  }

  private Path folder(boolean withAgent) {
    return root.resolve(withAgent ? "agent" : "stock");
  }

  private LiveStart start(CrashedBroker crashed, String disk, boolean withAgent) throws Exception {
    CrashedBroker copy = crashed.copy(folder(withAgent));
    List<Path> segments = CrashedBroker.segments(folder(withAgent));
    if (disk.equals("warm")) {
      PageCache.warm(segments);
    } else {
      PageCache.drop(segments);
    }
    @Nullable Path cgroup = disk.equals("throttled") ? Path.of(CGROUP) : null;
    return LiveStart.of(copy, withAgent, cgroup);
  }

  private static String head(long bytes) {
    return String.format(
        Locale.ROOT,
        "Kafka 4.3.1, JDK %s, %d processors, %d partitions, %d MiB in batches of %s.",
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors(),
        PARTITIONS,
        bytes >> 20,
        SIZE.label());
  }

  @Test
  void killsDuringRecoveryEndWithTheSameFilesAsStockKafka() throws Exception {
    CrashedBroker crashed = fill(Lines.jars(), INDEX_BYTES);
    CrashedBroker killed = crashed.copy(root.resolve("killed"));
    long first = LiveStart.killed(killed);
    long second = LiveStart.killed(killed);
    System.out.println("Killed after " + first + " and after " + second + " segments");
    LiveStart.of(killed.copy(folder(false)), false, null);
    LiveStart.of(killed.copy(folder(true)), true, null);
    assertEquals("", difference(folder(false), folder(true)));
  }

  /** Returns the first difference between the partitions of two brokers, or an empty text. */
  private static String difference(Path one, Path other) throws IOException {
    for (Path partition : CrashedBroker.partitions(one)) {
      Path copy = other.resolve(one.relativize(partition));
      List<String> names = names(partition);
      if (!names.equals(names(copy))) {
        return partition + " has " + names + ", " + copy + " has " + names(copy);
      }
      for (String name : names) {
        long at = Files.mismatch(partition.resolve(name), copy.resolve(name));
        if (at >= 0) {
          return partition.resolve(name) + " differs at " + at;
        }
      }
    }
    return "";
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(each -> each.getFileName().toString())
          .filter(each -> !each.startsWith(EPOCHS))
          .sorted()
          .toList();
    }
  }
}
