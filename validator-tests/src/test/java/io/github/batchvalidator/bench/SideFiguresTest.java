// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import java.util.Collection;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What benchmarks have to say beside their time is among the results. */
class SideFiguresTest {
  @BeforeAll
  static void shareTheMachine() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void plainBytesPerSecondAreComputed() throws RunnerException {
    ChainedOptionsBuilder options =
        options("InPlaceValidation").param("records", "10").param("valueBytes", "100");
    options.param("payload", "JSON").param("memory", "HEAP").param("batches", "1");
    RunResult result = run(options.param("codec", "none"));
    double seconds = result.getPrimaryResult().getScore() / 1e9;
    int plainBytes = Workload.json(Codec.NONE, 10, 100).first().plainBytes();
    double told = figure(result, "plainBytes");
    assertEquals(plainBytes / seconds, told, told / 1e6);
  }

  @Test
  void understandsOtherUnits() throws RunnerException {
    ChainedOptionsBuilder options = options("ColdStart").mode(Mode.Throughput);
    RunResult result = run(options.param("codec", "lz4").param("batches", "1"));
    double runsPerNs = result.getPrimaryResult().getScore();
    int plainBytes = Workload.json(Codec.LZ4, 10, 1024).first().plainBytes();
    double told = figure(result, "plainBytes");
    assertEquals(plainBytes * runsPerNs * 1e9, told, told / 1e6);
  }

  @Test
  void lockHoldTimeIsComputed() throws RunnerException {
    ChainedOptionsBuilder options = options("HotPartition.threads2").param("codec", "none");
    RunResult result = run(options.param("records", "1"));
    double median = figure(result, "lockHoldP50");
    assertTrue(median > 0 && median <= figure(result, "lockHoldP99"));
  }

  @Test
  void keptMemoryIsComputed() throws RunnerException {
    ChainedOptionsBuilder options = options("ManyPartitions").param("partitions", "1000");
    RunResult result = run(options.param("batches", "1"));
    double heap = figure(result, "heapToldByValidator");
    assertTrue(heap > 300_000, () -> heap + " bytes after all codecs were seen");
    assertTrue(figure(result, "nativeToldByValidator") > 100_000);
    assertTrue(result.getSecondaryResults().containsKey("heapKept"));
  }

  private static double figure(RunResult result, String name) {
    return Objects.requireNonNull(result.getSecondaryResults().get(name), name).getScore();
  }

  /** Not forked: nothing is measured here. */
  private static ChainedOptionsBuilder options(String benchmark) {
    return new OptionsBuilder()
        .include(benchmark)
        .addProfiler(SideFigures.class)
        .param("contender", "CORE")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(20))
        .verbosity(VerboseMode.SILENT);
  }

  private static RunResult run(ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> results = new Runner(options.build()).run();
    assertEquals(1, results.size());
    return results.iterator().next();
  }
}
