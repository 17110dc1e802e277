// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rule.Codec;
import java.util.Locale;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time per batch to validate it and write it anew in the topic's codec, next to Kafka's own
 * validation and to the codec libraries alone.
 */
public class Rebuild extends BatchBenchmark {
  /** The producer's codec and the topic's, each at its default level. */
  @Param({"lz4-zstd", "zstd-lz4", "gzip-zstd", "none-lz4"})
  private String codecs = "lz4-zstd";

  /** Number of records, x, bytes of each value. */
  @Param("125x1024")
  private String shape = "125x1024";

  @Param private RebuildContender contender = RebuildContender.KAFKA_LOG_VALIDATOR;

  /** Creates the benchmark. */
  public Rebuild() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    String[] pair = codecs.toUpperCase(Locale.ROOT).split("-", 2);
    SmokeBatch[] sources = SmokeBatch.several(Codec.valueOf(pair[0]), shape, batches);
    body = contender.open(Codec.valueOf(pair[1]), sources);
  }

  /** Rebuilds the next batch. */
  @Benchmark
  public Object rebuild() {
    return body.run();
  }
}
