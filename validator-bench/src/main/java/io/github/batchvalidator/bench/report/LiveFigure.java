// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

/**
 * A figure of a live broker, in the order of the columns of {@link PairTable}. GB is 10^9 bytes of
 * values before compression.
 */
public enum LiveFigure {
  /** CPU time of the process without its JIT; the primary metric of a row. */
  CPU("cpu", "s/GB", "CPU, s/GB"),

  /** {@link #CPU} divided by that of the stock broker in the same turn, as are all ratios. */
  CPU_RATIO("cpuRatio", Metric.RATIO, "ratio"),

  /** The ratio of {@link #JAVA_CPU}. */
  JAVA_CPU_RATIO("javaCpuRatio", Metric.RATIO, "ratio of Java threads"),

  /** Bytes that Java threads allocate. */
  ALLOCATED("allocated", "B/record", "B/record"),

  /** The ratio of {@link #ALLOCATED}. */
  ALLOCATED_RATIO("allocatedRatio", Metric.RATIO, "ratio"),

  /** CPU time of the validator by samples. */
  VALIDATOR_CPU("validatorCpu", "s/GB", "validator, CPU s/GB"),

  /** The ratio of {@link #VALIDATOR_CPU}. */
  VALIDATOR_CPU_RATIO("validatorCpuRatio", Metric.RATIO, "ratio"),

  /** The validator's part of the CPU samples. */
  CPU_SHARE("cpuShare", "%", "its share of CPU"),

  /** The validator's part of the allocation samples. */
  ALLOCATED_SHARE("allocatedShare", "%", "of allocation"),

  /** Pauses of the collector. */
  PAUSES("pauses", "ms/GB", "GC, ms/GB"),

  /** CPU time of the JIT. */
  COMPILER_CPU("compilerCpu", "s/GB", "JIT, CPU s/GB"),

  /** Mean size of the batches that the producers sent. */
  BATCH_BYTES("batchBytes", "B", "bytes of a batch"),

  /** Throughput of all producers. */
  RATE("rate", "records/s", "records/s"),

  /** Latency that the producers measured. */
  P99("p99", "ms", "p99, ms"),

  /** CPU time of Java threads only, without collector and JIT; it has no column. */
  JAVA_CPU("javaCpu", "s/GB", "");

  private final String key;
  private final String unit;
  private final String title;

  LiveFigure(String key, String unit, String title) {
    this.key = key;
    this.unit = unit;
    this.title = title;
  }

  /** Returns the name in a file of results. */
  public String key() {
    return key;
  }

  /** Returns the unit for readers. */
  public String unit() {
    return unit;
  }

  /** Returns the title of the column, which is empty if there is none. */
  String title() {
    return title;
  }
}
