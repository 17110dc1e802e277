// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Several threads, a validator each. Policies are shared and so are the buffers: an inspection
 * changes nothing of them.
 */
class ThreadsTest {
  private static final int THREADS = 4;
  private static final int PASSES = 5;

  @Test
  void threadsDoNotDisturbEachOther() throws Exception {
    List<AllocationCase> cases =
        AllocationCase.all().stream().filter(given -> given.records() <= 100).toList();
    List<ByteBuffer> batches = cases.stream().map(AllocationCase::batch).toList();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        results.add(threads.submit(() -> inspectAll(cases, batches)));
      }
      for (Future<Integer> result : results) {
        assertEquals(PASSES * cases.size(), result.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static int inspectAll(List<AllocationCase> cases, List<ByteBuffer> batches) {
    MutableVerdict verdict = new MutableVerdict();
    int asExpected = 0;
    try (BatchValidator validator = new BatchValidator()) {
      for (int i = 0; i < PASSES * batches.size(); i++) {
        AllocationCase given = cases.get(i % cases.size());
        validator.inspect(batches.get(i % cases.size()), given.policy(), Batches.nowMs(), verdict);
        asExpected += verdict.reason() == given.input().reason ? 1 : 0;
      }
    }
    return asExpected;
  }
}
