// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rule.Codec;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time per batch to validate it in place, next to Kafka's own validation and to the codec library
 * alone.
 *
 * <p>All contenders run with the same fixed, pre-touched heap, so that the first touch of new pages
 * is not charged to those that allocate, and with the collector that Kafka's scripts choose.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseG1GC",
      "--enable-native-access=ALL-UNNAMED"
    })
public class InspectSmoke {
  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  /** Number of records, x, bytes of each value. */
  @Param({"125x1024", "1000x100"})
  private String shape = "125x1024";

  /** How many different ones take turns: with few, the processor learns their bytes by heart. */
  @Param("16")
  private int batches = 16;

  @Param private Contender contender = Contender.CORE;

  @SuppressWarnings("NullAway.Init")
  private Body body;

  /** Creates the benchmark. */
  public InspectSmoke() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    Codec which = Codec.valueOf(codec.toUpperCase(Locale.ROOT));
    body = contender.open(SmokeBatch.several(which, shape, batches));
  }

  /** Validates the next batch. */
  @Benchmark
  public Object inspect() {
    return body.run();
  }

  /** Frees native memory. */
  @TearDown
  public void close() {
    body.close();
  }
}
