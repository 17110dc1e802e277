// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.StampContender;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time to stamp a validated batch with the time of its append, which changes what the checksum
 * covers.
 */
public class AppendTimeStamp extends BatchBenchmark {
  @Param private StampContender contender = StampContender.SPLICED;

  /** The value size of the batch's only record. The rest of the batch has at most 80 bytes. */
  @Param({"1024", "16384", "131072", "1048576"})
  private int valueBytes = 1024;

  /** Creates the benchmark. */
  public AppendTimeStamp() {}

  /** Makes the batches and validates them. */
  @Setup
  public void open() {
    Workload workload = Workload.json(Codec.NONE, 1, valueBytes).of(PayloadKind.INCOMPRESSIBLE);
    body = contender.open(workload.batches(batches));
  }

  /** Stamps the next batch. */
  @Benchmark
  public Object stamp() {
    return body.run();
  }
}
