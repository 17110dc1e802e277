// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitions get every record of every thread once. */
class PartitionBodyTest {
  private static final int THREADS = 4;
  private static final int RUNS = 50;
  private static final int RECORDS = 10;

  private final ProducedBatch[] batches = Workload.json(Codec.LZ4, RECORDS, 1024).batches(2);

  @ParameterizedTest
  @EnumSource(names = {"KAFKA_LOG_VALIDATOR", "DROP_IN", "CORE"})
  void threadsGetOffsetsOfTheirOwn(Contender contender) throws Exception {
    Partition partition = new Partition();
    List<Callable<Set<Long>>> appenders = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      appenders.add(() -> append(partition, contender));
    }
    Set<Long> all = new TreeSet<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (Future<Set<Long>> each : threads.invokeAll(appenders)) {
      all.addAll(each.get());
    }
    threads.shutdown();
    Set<Long> expected = new TreeSet<>();
    for (long i = 0; i < THREADS * RUNS; i++) {
      expected.add(AppendBody.FIRST_OFFSET + i * RECORDS);
    }
    assertEquals(expected, all);
    assertEquals(AppendBody.FIRST_OFFSET + THREADS * RUNS * RECORDS, partition.logEndOffset());
    assertHoldsAreTold(partition);
  }

  private Set<Long> append(Partition partition, Contender contender) {
    Set<Long> baseOffsets = new TreeSet<>();
    try (PartitionBody body = new PartitionBody(partition, contender, batches)) {
      for (int run = 0; run < RUNS; run++) {
        baseOffsets.add(BatchLayout.baseOffsetAt(body.run(), 0));
        assertEquals(RECORDS, body.records());
      }
    }
    return baseOffsets;
  }

  private static void assertHoldsAreTold(Partition partition) {
    Histogram holds = partition.holds();
    assertEquals(THREADS * RUNS, holds.getTotalCount());
    assertTrue(holds.getMinValue() > 0);
    assertEquals(0, partition.holds().getTotalCount());
    assertTrue(partition.appendsPerSecond() > 0);
    assertEquals(0, partition.appendsPerSecond());
  }

  @Test
  void partitionsInTurnGetTheirOwnOffsets() {
    try (ManyPartitionsBody many = new ManyPartitionsBody(3, batches)) {
      for (int run = 0; run < 8; run++) {
        many.run();
        assertEquals(RECORDS, many.records());
      }
      assertEquals(AppendBody.FIRST_OFFSET + 3 * RECORDS, many.logEndOffset(0));
      assertEquals(AppendBody.FIRST_OFFSET + 3 * RECORDS, many.logEndOffset(1));
      assertEquals(AppendBody.FIRST_OFFSET + 2 * RECORDS, many.logEndOffset(2));
      assertTrue(many.validator().heapBytes() > 0);
    }
  }
}
