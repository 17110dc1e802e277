// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.RuleSet;
import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Time per batch to validate it in place by the rules of a topic. */
public class RuleCost extends BatchBenchmark {
  @Param private RuleSet contender = RuleSet.NONE;

  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  @Param("1000")
  private int records = 1000;

  @Param("100")
  private int valueBytes = 100;

  @Param({"KEY", "KEY_AND_SCHEMA_ID"})
  private RecordShape recordShape = RecordShape.KEY_AND_SCHEMA_ID;

  /** Creates the benchmark. */
  public RuleCost() {}

  /** Makes the batches and what the validator keeps between batches. */
  @Setup
  public void open() {
    ProducedBatch[] produced =
        new Workload(
                Workload.codec(codec),
                records,
                valueBytes,
                PayloadKind.JSON,
                recordShape,
                Memory.HEAP)
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
