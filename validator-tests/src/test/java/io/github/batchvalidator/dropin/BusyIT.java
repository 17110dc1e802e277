// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.BusyJvm.ExplicitGc;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Runs 64 appending threads in two JVMs at the same time. {@code scripts/busy} runs more. */
class BusyIT {
  private static final int THREADS = 64;
  private static final int SECONDS = 15;

  /** One append in four is a rebuild from lz4 to zstd. */
  private static final List<String> WORKLOADS = List.of("zstd", "zstd", "zstd", "lz4-zstd");

  @Test
  void refusesNoValidBatchAndNeedsNoMemoryBeyondItsWorkers() throws Exception {
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      Map<ExplicitGc, Future<BusyFigures>> runs = new EnumMap<>(ExplicitGc.class);
      for (ExplicitGc explicitGc : ExplicitGc.values()) {
        BusyJvm jvm = new BusyJvm(true, explicitGc, THREADS, false);
        runs.put(explicitGc, executor.submit(() -> jvm.run(SECONDS, WORKLOADS)));
      }
      assertAll(
          runs.entrySet().stream().map(run -> () -> check(run.getKey(), run.getValue().get())));
    } finally {
      executor.shutdownNow();
    }
  }

  private static void check(ExplicitGc explicitGc, BusyFigures figures) {
    assertTrue(figures.isGood(), explicitGc.flag() + " " + figures);
  }
}
