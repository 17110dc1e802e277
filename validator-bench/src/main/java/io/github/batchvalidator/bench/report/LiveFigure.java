// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

/** A figure of a live broker. GB is 10^9 bytes of values before compression. */
public enum LiveFigure {
  /** CPU time of the process without its JIT; the primary metric of a row. */
  CPU("cpu", "s/GB"),

  /** {@link #CPU} divided by that of the stock broker in the same turn, as are all ratios. */
  CPU_RATIO("cpuRatio", Metric.RATIO),

  /** The ratio of {@link #JAVA_CPU}. */
  JAVA_CPU_RATIO("javaCpuRatio", Metric.RATIO),

  /** Bytes that Java threads allocate. */
  ALLOCATED("allocated", "B/record"),

  /** The ratio of {@link #ALLOCATED}. */
  ALLOCATED_RATIO("allocatedRatio", Metric.RATIO),

  /** CPU time of the validator by samples. */
  VALIDATOR_CPU("validatorCpu", "s/GB"),

  /** The ratio of {@link #VALIDATOR_CPU}. */
  VALIDATOR_CPU_RATIO("validatorCpuRatio", Metric.RATIO),

  /** The validator's part of the CPU samples. */
  CPU_SHARE("cpuShare", "%"),

  /** The validator's part of the allocation samples. */
  ALLOCATED_SHARE("allocatedShare", "%"),

  /** Pauses of the collector. */
  PAUSES("pauses", "ms/GB"),

  /** CPU time of the JIT. */
  COMPILER_CPU("compilerCpu", "s/GB"),

  /** Mean size of the batches that the producers sent. */
  BATCH_BYTES("batchBytes", "B"),

  /** Throughput of all producers. */
  RATE("rate", "records/s"),

  /** Latency that the producers measured. */
  P99("p99", "ms"),

  /** CPU time of Java threads only, without collector and JIT. */
  JAVA_CPU("javaCpu", "s/GB");

  private final String key;
  private final String unit;

  LiveFigure(String key, String unit) {
    this.key = key;
    this.unit = unit;
  }

  /** Returns the name in a file of results. */
  public String key() {
    return key;
  }

  /** Returns the unit for readers. */
  public String unit() {
    return unit;
  }
}
