// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.LiveFigure;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a broker used in one slot.
 *
 * @param plainBytes of the values that it was sent
 * @param cpuNanos of its process without the JIT
 * @param compilerNanos of the JIT
 * @param javaNanos of its Java threads
 * @param allocatedBytes of its Java threads
 * @param collectionMs pauses of its collector
 * @param produced what the producers say
 */
record Figures(
    long plainBytes,
    long cpuNanos,
    long compilerNanos,
    long javaNanos,
    long allocatedBytes,
    long collectionMs,
    Produced produced) {
  static Figures between(Usage before, Usage after, long plainBytes, Produced produced) {
    return new Figures(
        plainBytes,
        after.cpuNanosSince(before),
        after.compilerNanosSince(before),
        after.javaNanosSince(before),
        after.allocatedBytesSince(before),
        after.collectionMs() - before.collectionMs(),
        produced);
  }

  /** Returns the figures, per unit of work. */
  Map<LiveFigure, Double> values() {
    double gigabytes = plainBytes / 1e9;
    Map<LiveFigure, Double> all = new EnumMap<>(LiveFigure.class);
    all.put(LiveFigure.CPU, cpuNanos / 1e9 / gigabytes);
    all.put(LiveFigure.COMPILER_CPU, compilerNanos / 1e9 / gigabytes);
    all.put(LiveFigure.JAVA_CPU, javaNanos / 1e9 / gigabytes);
    all.put(LiveFigure.ALLOCATED, (double) allocatedBytes / produced.records());
    all.put(LiveFigure.PAUSES, collectionMs / gigabytes);
    all.put(LiveFigure.RATE, produced.recordsPerSecond());
    all.put(LiveFigure.P99, produced.p99Ms());
    all.put(LiveFigure.BATCH_BYTES, produced.batchBytes());
    return all;
  }
}
