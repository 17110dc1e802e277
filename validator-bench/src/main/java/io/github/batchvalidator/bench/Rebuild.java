// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.body.RebuildContender;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.format.BatchLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time per batch to validate it and rebuild it in the topic's codec or magic, next to Kafka's own
 * validation and to the codec libraries alone.
 */
public class Rebuild extends BatchBenchmark {
  /** The producer's codec and the topic's, each at its default level. */
  @Param({"lz4-zstd", "zstd-lz4", "gzip-zstd", "none-lz4"})
  private String codecs = "lz4-zstd";

  /** The magic of the batch that is sent; the topic has 2. {@code TRANSCODE_ONLY} needs 2. */
  @Param("2")
  private byte magic = BatchLayout.MAGIC_V2;

  @Param("125")
  private int records = 125;

  @Param("1024")
  private int valueBytes = 1024;

  @Param private RebuildContender contender = RebuildContender.KAFKA_LOG_VALIDATOR;

  /** Creates the benchmark. */
  public Rebuild() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    String[] pair = codecs.split("-", 2);
    Workload workload = Workload.json(Workload.codec(pair[0]), records, valueBytes);
    ProducedBatch[] sources =
        magic == BatchLayout.MAGIC_V2 ? workload.batches(batches) : workload.messages(batches);
    body = contender.open(Workload.codec(pair[1]), sources);
    reportPlainBytes(sources);
  }

  /** Rebuilds the next batch. */
  @Benchmark
  public Object rebuild() {
    return body.run();
  }
}
