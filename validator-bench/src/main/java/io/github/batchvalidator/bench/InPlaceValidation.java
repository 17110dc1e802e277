// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.Contender;
import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time per batch to validate it in place and stamp it, next to Kafka's own validation, to what that
 * was before KAFKA-8106, and to the codec library alone.
 */
public class InPlaceValidation extends BatchBenchmark {
  /**
   * {@link Contender#CORE_CHECKED} and {@link Contender#CORE_STRICT} do what the others do not, so
   * they have to be asked for.
   */
  @Param({
    "KAFKA_LOG_VALIDATOR",
    "KAFKA_SKIP_ITERATOR",
    "ALLOCATING_BASELINE",
    "DECOMPRESS_ONLY",
    "CORE",
    "CORE_2KB",
    "DROP_IN"
  })
  private Contender contender = Contender.CORE;

  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  @Param({"1", "10", "125", "1000"})
  private int records = 125;

  @Param({"100", "1024", "10240"})
  private int valueBytes = 1024;

  @Param private PayloadKind payload = PayloadKind.JSON;

  @Param private Memory memory = Memory.HEAP;

  /** Creates the benchmark. */
  public InPlaceValidation() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    ProducedBatch[] produced =
        new Workload(Workload.codec(codec), records, valueBytes, payload, RecordShape.PLAIN, memory)
            .batches(batches);
    body = contender.open(produced);
    reportPlainBytes(produced);
  }

  /** Validates the next batch. */
  @Benchmark
  public Object validate() {
    return body.run();
  }
}
