// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.SideFigures.Figure;
import io.github.batchvalidator.bench.body.ManyPartitionsBody;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time per batch and memory kept where one validator serves many partitions in turn, with batches
 * of all codecs among each other.
 */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 2)
public class ManyPartitions extends BatchBenchmark {
  @Param({"1", "1000", "1000000"})
  private int partitions = 1;

  @SuppressWarnings("NullAway.Init")
  private BatchValidator validator;

  private long usedBefore;
  private List<Figure> kept = List.of();

  /** Creates the benchmark. */
  public ManyPartitions() {}

  /** Makes the batches and the validator, which has seen nothing yet. */
  @Setup
  public void open() {
    ManyPartitionsBody many = new ManyPartitionsBody(partitions, mixed());
    body = many;
    validator = many.validator();
    usedBefore = usedHeapBytes();
    SideFigures.report(secondsPerRun -> kept);
  }

  /** Measures the memory here, because the validator is closed after the last iteration. */
  @TearDown(Level.Iteration)
  public void measure() {
    kept =
        List.of(
            new Figure("heapKept", usedHeapBytes() - usedBefore, "B"),
            new Figure("heapToldByValidator", validator.heapBytes(), "B"),
            new Figure("nativeToldByValidator", validator.nativeBytes(), "B"));
  }

  /** Returns as many batches of each codec, in a shuffled order. */
  private ProducedBatch[] mixed() {
    List<ProducedBatch> all = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      all.addAll(Arrays.asList(Workload.json(codec, 10, 1024).batches(batches)));
    }
    Collections.shuffle(all, new Random(batches));
    return all.toArray(ProducedBatch[]::new);
  }

  private static long usedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Appends to the next partition. */
  @Benchmark
  public Object append() {
    return body.run();
  }
}
