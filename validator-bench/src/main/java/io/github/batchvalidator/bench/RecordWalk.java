// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.Contender;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time per record of an uncompressed batch with values of 100 bytes, a thousandth of the time per
 * batch: what the walk and its rules cost where no codec hides it.
 */
public class RecordWalk extends BatchBenchmark {
  private static final int RECORDS = 1000;
  private static final int VALUE_BYTES = 100;

  /** {@link Contender#CORE_STRICT} and {@link Contender#RECORD_CURSOR} have to be asked for. */
  @Param({"KAFKA_LOG_VALIDATOR", "KAFKA_SKIP_ITERATOR", "CORE"})
  private Contender contender = Contender.CORE;

  @Param private RecordShape shape = RecordShape.PLAIN;

  /** Creates the benchmark. */
  public RecordWalk() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    Workload workload = Workload.json(Codec.NONE, RECORDS, VALUE_BYTES).shaped(shape);
    body = contender.open(workload.batches(batches));
  }

  /** Walks over the records of the next batch. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public Object walk() {
    return body.run();
  }
}
