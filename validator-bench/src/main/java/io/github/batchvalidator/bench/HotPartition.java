// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.SideFigures.Figure;
import io.github.batchvalidator.bench.body.Contender;
import io.github.batchvalidator.bench.body.Partition;
import io.github.batchvalidator.bench.body.PartitionBody;
import io.github.batchvalidator.bench.workload.Workload;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Batches per second that threads append to one partition, and how long its lock is held: Kafka and
 * the drop-in validate inside of it, the two phases of this library inspect outside and stamp
 * inside. Threads that compete for a lock, and with the JIT for processors, take up to ten seconds
 * to warm up.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 12, time = 1)
@Measurement(iterations = 8, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class HotPartition extends FixedHeapBenchmark {
  @Param({"KAFKA_LOG_VALIDATOR", "DROP_IN", "CORE"})
  private Contender contender = Contender.CORE;

  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  @Param({"1", "125", "1000"})
  private int records = 125;

  @Param("1024")
  private int valueBytes = 1024;

  /** How many different ones take turns in each thread. */
  @Param("" + BatchBenchmark.BATCHES)
  private int batches = BatchBenchmark.BATCHES;

  private final Partition partition = new Partition();

  /** Creates the benchmark. */
  public HotPartition() {}

  /** Adds how long the lock is held to what is reported. */
  @Setup
  public void report() {
    SideFigures.report(
        secondsPerRun -> {
          Histogram holds = partition.holds();
          return List.of(
              new Figure("appends", partition.appendsPerSecond(), "1/s"),
              new Figure("lockHoldP50", holds.getValueAtPercentile(50), "ns"),
              new Figure("lockHoldP99", holds.getValueAtPercentile(99), "ns"));
        });
  }

  /** One of the threads. */
  @State(Scope.Thread)
  public static class Appender {
    @SuppressWarnings("NullAway.Init")
    private PartitionBody body;

    /** Makes the batches and what the contender keeps between batches. */
    @Setup
    public void open(HotPartition hot) {
      Workload workload = Workload.json(Workload.codec(hot.codec), hot.records, hot.valueBytes);
      body = new PartitionBody(hot.partition, hot.contender, workload.batches(hot.batches));
    }

    /** Frees native memory. */
    @TearDown
    public void close() {
      body.close();
    }
  }

  /** Appends from one thread. */
  @Benchmark
  @Threads(1)
  public Object threads1(Appender appender) {
    return appender.body.run();
  }

  /** Appends from two threads. */
  @Benchmark
  @Threads(2)
  public Object threads2(Appender appender) {
    return appender.body.run();
  }

  /** Appends from four threads. */
  @Benchmark
  @Threads(4)
  public Object threads4(Appender appender) {
    return appender.body.run();
  }

  /** Appends from eight threads. */
  @Benchmark
  @Threads(8)
  public Object threads8(Appender appender) {
    return appender.body.run();
  }
}
