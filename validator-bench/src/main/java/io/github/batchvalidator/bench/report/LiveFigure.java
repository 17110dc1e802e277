// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

/** A figure of a live broker: how a file of results calls it, and its unit. */
public enum LiveFigure {
  /**
   * CPU seconds of the process, without its JIT, per 10^9 bytes of plain payload: what the others
   * come after.
   */
  CPU("cpu", "s/GB"),

  /** The same of the JIT. */
  COMPILER_CPU("compilerCpu", "s/GB"),

  /** The same of Java threads alone, without collector and JIT. */
  JAVA_CPU("javaCpu", "s/GB"),

  /** Bytes that Java threads allocate. */
  ALLOCATED("allocated", "B/record"),

  /** Of the collector. */
  PAUSES("pauses", "ms/GB"),

  /** What the producers reached. */
  RATE("rate", "records/s"),

  /** Latency that the producers saw. */
  P99("p99", "ms"),

  /** Mean size of what the producers sent. */
  BATCH_BYTES("batchBytes", "B"),

  /** {@link #CPU} to that of the stock broker in the same turn. */
  CPU_RATIO("cpuRatio", "x"),

  /** {@link #JAVA_CPU} to that of the stock broker in the same turn. */
  JAVA_CPU_RATIO("javaCpuRatio", "x"),

  /** {@link #ALLOCATED} to that of the stock broker in the same turn. */
  ALLOCATED_RATIO("allocatedRatio", "x"),

  /** The validator's part of the samples of CPU. */
  CPU_SHARE("cpuShare", "%"),

  /** The validator's CPU seconds per 10^9 bytes of plain payload, by samples. */
  VALIDATOR_CPU("validatorCpu", "s/GB"),

  /** {@link #VALIDATOR_CPU} to that of the stock broker in the same turn. */
  VALIDATOR_CPU_RATIO("validatorCpuRatio", "x"),

  /** The validator's part of the samples of allocation. */
  ALLOCATED_SHARE("allocatedShare", "%");

  private final String key;
  private final String unit;

  LiveFigure(String key, String unit) {
    this.key = key;
    this.unit = unit;
  }

  /** Returns its name in a file. */
  public String key() {
    return key;
  }

  /** Returns its unit, to be read. */
  public String unit() {
    return unit;
  }
}
