// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.ColdContender;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time of a validator's whole life, in code that is warm: it is created, validates its first batch
 * and is closed.
 */
public class ColdStart extends BatchBenchmark {
  @Param private ColdContender contender = ColdContender.CORE;

  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  @Param("10")
  private int records = 10;

  @Param("1024")
  private int valueBytes = 1024;

  /** Creates the benchmark. */
  public ColdStart() {}

  /** Makes the batches. */
  @Setup
  public void open() {
    ProducedBatch[] produced =
        Workload.json(Workload.codec(codec), records, valueBytes).batches(batches);
    body = contender.open(produced);
    reportPlainBytes(produced);
  }

  /** Validates the next batch as the first one. */
  @Benchmark
  public Object firstBatch() {
    return body.run();
  }
}
