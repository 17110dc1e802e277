// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How all benchmarks are run.
 *
 * <p>All contenders run with the same fixed, pre-touched heap, so that the first touch of new pages
 * is not charged to those that allocate, and with the collector that Kafka's scripts choose.
 * Iterations are short and many: the grid has thousands of cells, and ten tell an interval better
 * than five long ones. The JIT of a slow machine takes up to five seconds, and until then a call
 * takes up to 20 times as long.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 150, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseG1GC",
      "--enable-native-access=ALL-UNNAMED"
    })
public abstract class FixedHeapBenchmark {
  FixedHeapBenchmark() {}
}
