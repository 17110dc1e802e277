// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.RefusingContender;
import io.github.batchvalidator.bench.workload.Fault;
import io.github.batchvalidator.bench.workload.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time to refuse a bad batch of 125 records of 1 KiB, next to accepting a good one. A bomb is four
 * times as large as the limit; Kafka knows none and accepts it.
 */
public class RejectedBatch extends BatchBenchmark {
  /** How many bytes a batch may decompress to. */
  static final long MOST_PLAIN_BYTES = Fault.BOMB_BYTES / 4;

  @Param private RefusingContender contender = RefusingContender.CORE;

  @Param({"gzip", "snappy", "lz4", "zstd"})
  private String codec = "lz4";

  @Param private Fault fault = Fault.NOTHING;

  /** Creates the benchmark. */
  public RejectedBatch() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    Workload workload = Workload.json(Workload.codec(codec), 125, 1024);
    body = contender.open(MOST_PLAIN_BYTES, fault.batches(workload, batches));
  }

  /** Judges the next batch. */
  @Benchmark
  public Object judge() {
    return body.run();
  }
}
