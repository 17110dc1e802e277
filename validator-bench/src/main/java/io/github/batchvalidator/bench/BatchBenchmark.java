// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.Body;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How time per batch is measured. */
@State(Scope.Thread)
public abstract class BatchBenchmark extends FixedHeapBenchmark {
  /** How many batches take turns unless more are asked for. */
  public static final int BATCHES = 16;

  /** How many different ones take turns: with few, the processor learns their bytes by heart. */
  @Param("" + BATCHES)
  int batches = BATCHES;

  /** The work. */
  @SuppressWarnings("NullAway.Init")
  Body body;

  BatchBenchmark() {}

  /** Adds the plain bytes that go through these batches to what is reported. */
  static void reportPlainBytes(ProducedBatch... batches) {
    double mean = Arrays.stream(batches).mapToInt(ProducedBatch::plainBytes).average().orElse(0);
    SideFigures.report(
        secondsPerRun ->
            List.of(new SideFigures.Figure("plainBytes", mean / secondsPerRun, "B/s")));
  }

  /** Frees native memory. */
  @TearDown
  public void close() {
    body.close();
  }
}
