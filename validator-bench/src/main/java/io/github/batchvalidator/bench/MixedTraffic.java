// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.Body;
import io.github.batchvalidator.bench.body.Contender;
import io.github.batchvalidator.bench.body.OtherTraffic;
import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Time per batch to validate it in place, alone or in a JVM that validates batches of other codecs,
 * sizes and payloads too.
 */
public class MixedTraffic extends BatchBenchmark {
  /** The time that each kind of other batches gets before an iteration. */
  private static final long OTHER_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  @Param({"KAFKA_LOG_VALIDATOR", "DECOMPRESS_ONLY", "CORE"})
  private Contender contender = Contender.CORE;

  @Param private OtherTraffic others = OtherTraffic.NONE;

  @Param("snappy")
  private String codec = "snappy";

  @Param("125")
  private int records = 125;

  @Param("1024")
  private int valueBytes = 1024;

  @Param private PayloadKind payload = PayloadKind.JSON;

  @Param private RecordShape recordShape = RecordShape.PLAIN;

  private List<Body> otherBodies = List.of();

  /** Creates the benchmark. */
  public MixedTraffic() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    ProducedBatch[] produced =
        new Workload(Workload.codec(codec), records, valueBytes, payload, recordShape, Memory.HEAP)
            .batches(batches);
    otherBodies = others.open(contender);
    body = contender.open(produced);
    reportPlainBytes(produced);
  }

  /** Validates the other batches, outside of the measured time. */
  @Setup(Level.Iteration)
  public void validateOthers(Blackhole blackhole) {
    for (Body other : otherBodies) {
      long end = System.nanoTime() + OTHER_NANOS;
      while (System.nanoTime() < end) {
        blackhole.consume(other.run());
      }
    }
  }

  /** Validates the next batch. */
  @Benchmark
  public Object validate() {
    return body.run();
  }

  /** Frees native memory of the other bodies. */
  @TearDown
  public void closeOthers() {
    otherBodies.forEach(Body::close);
  }
}
