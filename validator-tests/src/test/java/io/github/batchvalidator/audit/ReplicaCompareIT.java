// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The replicas of a live cluster are equal: under load, with compaction, transactions and
 * retention, beside a broker that was killed and a replica that moves, and when nothing writes.
 */
@Tag("broker")
class ReplicaCompareIT {
  /** The least number of comparisons under load. */
  private static final int RUNS = Integer.getInteger("compare.runs", 5);

  /** The least number of changes of the cluster: a kill, and a replica that moves. */
  private static final int CHANGES = 2;

  private static final int KINDS = 3;

  private static final long SETTLE_MS = 1500;
  private static final long PAUSE_MS = 300;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
  void replicasAreEqual(String line) throws Exception {
    try (ReplicaCluster cluster = ReplicaCluster.start(folder, line)) {
      ReplicaLoad load = new ReplicaLoad(cluster.clients());
      load.createTopics();
      load.start();
      try {
        underLoad(cluster);
      } finally {
        load.stop();
      }
      cluster
          .clients()
          .awaitInSync(
              List.of(
                  ReplicaLoad.PLAIN,
                  ReplicaLoad.COMPACTED,
                  ReplicaLoad.TRANSACTIONS,
                  ReplicaLoad.RETAINED,
                  ReplicaLoad.MOVED));
      Thread.sleep(SETTLE_MS);
      idle(cluster);
    }
  }

  private void underLoad(ReplicaCluster cluster) throws Exception {
    int run = 0;
    long batches = 0;
    for (int change = 0; run < RUNS || change < CHANGES; change++) {
      FutureTask<Void> changing = change(cluster, change);
      do {
        batches += compare(cluster, run).summary().batches();
        run++;
        Thread.sleep(PAUSE_MS);
      } while (!changing.isDone());
      changing.get();
      digests(cluster, "run-" + run);
    }
    assertTrue(batches > RUNS, "nothing was compared");
  }

  /** Changes the cluster while it is compared: kills a broker, moves a replica, or only waits. */
  private static FutureTask<Void> change(ReplicaCluster cluster, int change) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              if (change % KINDS == 0) {
                cluster.restart(change / KINDS % KINDS);
              } else if (change % KINDS == 1) {
                cluster.move(ReplicaLoad.MOVED, change / KINDS % 2, 2);
              } else {
                Thread.sleep(SETTLE_MS);
              }
              return null;
            });
    new Thread(task, "change").start();
    return task;
  }

  /** Compares all directories. */
  private static Compared compare(ReplicaCluster cluster, int run) {
    Compared compared = Compared.of(false, cluster.directories().toArray(Path[]::new));
    assertEquals(List.of(), compared.differences(), () -> "run " + run + compared.messages());
    assertEquals(List.of(), compared.errors().stream().filter(each -> !isOfChange(each)).toList());
    return compared;
  }

  /** A follower has truncated its log, or the replica that moved was deleted meanwhile. */
  private static boolean isOfChange(String error) {
    return error.contains("while it was read")
        || error.endsWith(ReplicaLoad.MOVED + "-0: no such file or directory");
  }

  private Compared digests(ReplicaCluster cluster, String name) throws Exception {
    List<Path> files = new ArrayList<>();
    for (Path directory : cluster.directories()) {
      Path file = folder.resolve(name + "-" + files.size());
      new DigestRun(partitions(directory), 64, 0, Long.MAX_VALUE, (of, why) -> {}, bytes -> {})
          .run(2, file);
      files.add(file);
    }
    Compared compared = Compared.of(false, files.toArray(Path[]::new));
    assertEquals(List.of(), compared.differences(), () -> "digests, " + name + compared.messages());
    return compared;
  }

  private static List<PartitionDirectory> partitions(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(Files::isDirectory)
          .map(PartitionDirectory::of)
          .filter(Objects::nonNull)
          .toList();
    }
  }

  private void idle(ReplicaCluster cluster) throws Exception {
    Compared compared = compare(cluster, RUNS);
    assertEquals(List.of(), compared.errors());
    for (PartitionComparison each : compared.partitions()) {
      if (each.partition().startsWith(ReplicaLoad.PLAIN)) {
        assertTrue(each.batches() > 10, each::toString);
        assertEquals(List.of(), each.differences(), each::toString);
      }
    }
    assertTrue(
        compared.partitions().stream()
            .anyMatch(each -> each.partition().startsWith(ReplicaLoad.COMPACTED)));
    assertTrue(digests(cluster, "idle").summary().batches() > 10);
  }
}
