// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.recovery.RecoveryShape.Kind;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent's recovery of a segment costs less CPU than stock Kafka's, and writes the same indexes.
 * In {@code mvn verify} for small batches only; {@code scripts/recovery-cost} measures all shapes.
 */
class RecoveryCostIT {
  private static final int MEBIBYTES = Integer.getInteger("recovery.mebibytes", 0);
  private static final int ROUNDS = MEBIBYTES == 0 ? 4 : 8;

  @TempDir private Path directory;

  @Test
  void costsLessThanWithStockKafka() throws Exception {
    try (KafkaSide stock = CrashedDirectoriesIT.stock("4.3.1");
        KafkaSide ours = CrashedDirectoriesIT.ours("4.3.1")) {
      for (RecoveryShape shape : MEBIBYTES == 0 ? List.of(small()) : shapes()) {
        double times = measure(stock.costDriver(), ours.costDriver(), shape);
        assertTrue(times > 1, shape.label() + ": " + times);
      }
    }
  }

  private static RecoveryShape small() {
    return new RecoveryShape(1, 200, Kind.IDEMPOTENT);
  }

  private static List<RecoveryShape> shapes() {
    List<RecoveryShape> shapes = new ArrayList<>();
    int[][] sizes = {{1, 200}, {1, 1024}, {10, 1024}, {125, 1024}, {1000, 1024}};
    for (Kind kind : Kind.values()) {
      for (int[] each : sizes) {
        shapes.add(new RecoveryShape(each[0], each[1], kind));
      }
    }
    return shapes;
  }

  private double measure(Method stock, Method ours, RecoveryShape shape) throws Exception {
    long bytes = (long) Math.max(8, MEBIBYTES) << 20;
    Path partition = Files.createDirectories(directory.resolve(CrashedPartition.NAME));
    Path log = partition.resolve(CrashedPartition.name(0, ".log"));
    shape.write(log, bytes);
    long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
    long[] allocated = new long[2];
    for (int round = 0; round < ROUNDS; round++) {
      long[] ofStock = (long[]) stock.invoke(null, partition.toFile());
      long[] ofOurs = (long[]) ours.invoke(null, partition.toFile());
      assertEquals(ofStock[2], ofOurs[2], "indexes");
      assertEquals(ofStock[3], ofOurs[3], "producers");
      best[0] = Math.min(best[0], ofStock[0]);
      best[1] = Math.min(best[1], ofOurs[0]);
      allocated[0] = ofStock[1];
      allocated[1] = ofOurs[1];
    }
    double times = (double) best[0] / best[1];
    System.out.printf(
        "| %s | %.0f | %.0f | %.1f | %.1f / %.2f |%n",
        shape.label(),
        1e3 * bytes / best[0],
        1e3 * bytes / best[1],
        times,
        allocated[0] / 1e6,
        allocated[1] / 1e6);
    return times;
  }
}
