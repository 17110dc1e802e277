// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

/** A figure of a live broker. GB is 10^9 bytes of values before compression. */
public enum LiveFigure {
  /** CPU time of the process without its JIT; the primary metric of a row. */
  CPU("cpu", "s/GB", Better.LESS),

  /** CPU time of Java threads only, without collector and JIT. */
  JAVA_CPU("javaCpu", "s/GB", Better.LESS),

  /** The part of a processor that the process uses without its JIT. */
  BUSY("busy", "%", Better.NEITHER),

  /** Bytes that Java threads allocate. */
  ALLOCATED("allocated", "MB/GB", Better.LESS),

  /** CPU time of the validator by samples. */
  VALIDATOR_CPU("validatorCpu", "s/GB", Better.LESS),

  /** The validator's part of the CPU samples. */
  CPU_SHARE("cpuShare", "%", Better.NEITHER),

  /** The validator's part of the allocation samples. */
  ALLOCATED_SHARE("allocatedShare", "%", Better.NEITHER),

  /** The number of the collector's pauses. */
  PAUSES("pauses", "1/GB", Better.LESS),

  /** Time of these pauses. */
  PAUSED("paused", "ms/GB", Better.LESS),

  /** How often a thread waited for a monitor. */
  LOCK_WAITS("lockWaits", "1/GB", Better.LESS),

  /** How long all threads together did. */
  LOCK_WAITED("lockWaited", "ms/GB", Better.LESS),

  /** CPU time of the JIT. */
  COMPILER_CPU("compilerCpu", "s/GB", Better.NEITHER),

  /** Mean size of the batches that the producers sent. */
  BATCH_BYTES("batchBytes", "B", Better.NEITHER),

  /** Throughput of all producers. */
  RATE("rate", "records/s", Better.MORE),

  /** The part of a processor that the producers use. */
  PRODUCERS_BUSY("producersBusy", "%", Better.NEITHER),

  /** From the time at which a request was due until its answer, as are all latencies. */
  P50("p50", "ms", 50),

  /** The latency that one request in a hundred exceeds. */
  P99("p99", "ms", 99),

  /** The latency that one request in a thousand exceeds. */
  P999("p999", "ms", 99.9),

  /** The largest latency. */
  LONGEST("longest", "ms", 100);

  /** Which value of two is better. */
  public enum Better {
    /** The smaller one. */
    LESS,
    /** The larger one. */
    MORE,
    /** The figure explains others, and is not judged. */
    NEITHER
  }

  private final String key;
  private final String unit;
  private final Better better;
  private final double percentile;

  LiveFigure(String key, String unit, Better better) {
    this.key = key;
    this.unit = unit;
    this.better = better;
    percentile = Double.NaN;
  }

  LiveFigure(String key, String unit, double percentile) {
    this.key = key;
    this.unit = unit;
    this.percentile = percentile;
    // One request alone decides the largest.
    better = percentile < 100 ? Better.LESS : Better.NEITHER;
  }

  /** Returns the name in a file of results. */
  public String key() {
    return key;
  }

  /** Returns the unit for readers. */
  public String unit() {
    return unit;
  }

  /** Returns which value of two is better; a figure that is not judged has no ratio. */
  public Better better() {
    return better;
  }

  /** Returns the percentile of the latencies, or NaN for another figure. */
  public double percentile() {
    return percentile;
  }

  /** Returns true if the figure is a percentile of the latencies. */
  public boolean isLatency() {
    return !Double.isNaN(percentile);
  }
}
