// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rule.Codec;
import java.util.Locale;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time per batch to validate it in place, next to Kafka's own validation and to the codec library
 * alone.
 */
public class InspectSmoke extends BatchBenchmark {
  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec = "none";

  /** Number of records, x, bytes of each value. */
  @Param({"125x1024", "1000x100"})
  private String shape = "125x1024";

  @Param private Contender contender = Contender.CORE;

  /** Creates the benchmark. */
  public InspectSmoke() {}

  /** Makes the batches and what the contender keeps between batches. */
  @Setup
  public void open() {
    Codec which = Codec.valueOf(codec.toUpperCase(Locale.ROOT));
    body = contender.open(SmokeBatch.several(which, shape, batches));
  }

  /** Validates the next batch. */
  @Benchmark
  public Object inspect() {
    return body.run();
  }
}
