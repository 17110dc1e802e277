// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a broker used in one slot.
 *
 * @param plainBytes of the values that it was sent
 * @param cpuNanos of its process
 * @param javaNanos of its Java threads
 * @param allocatedBytes of its Java threads
 * @param collectionMs pauses of its collector
 * @param produced what the producers say
 */
record Figures(
    long plainBytes,
    long cpuNanos,
    long javaNanos,
    long allocatedBytes,
    long collectionMs,
    Produced produced) {
  /** CPU seconds of the process per 10^9 bytes of plain payload: what the others come after. */
  static final String CPU = "cpu";

  /** The same of Java threads alone, without collector and compiler. */
  static final String JAVA_CPU = "javaCpu";

  /** Bytes allocated per record. */
  static final String ALLOCATED = "allocated";

  private static final Map<String, String> UNITS =
      Map.of(
          CPU,
          "s/GB",
          JAVA_CPU,
          "s/GB",
          ALLOCATED,
          "B/record",
          "pauses",
          "ms/GB",
          "rate",
          "records/s",
          "p99",
          "ms",
          "batchBytes",
          "B");

  static Figures between(Usage before, Usage after, long plainBytes, Produced produced) {
    return new Figures(
        plainBytes,
        after.cpuNanos() - before.cpuNanos(),
        after.javaNanosSince(before),
        after.allocatedBytesSince(before),
        after.collectionMs() - before.collectionMs(),
        produced);
  }

  /** Returns the figures by name. */
  Map<String, Double> byName() {
    double gigabytes = plainBytes / 1e9;
    Map<String, Double> all = new LinkedHashMap<>();
    all.put(CPU, cpuNanos / 1e9 / gigabytes);
    all.put(JAVA_CPU, javaNanos / 1e9 / gigabytes);
    all.put(ALLOCATED, (double) allocatedBytes / produced.records());
    all.put("pauses", collectionMs / gigabytes);
    all.put("rate", produced.recordsPerSecond());
    all.put("p99", produced.p99Ms());
    all.put("batchBytes", produced.batchBytes());
    return all;
  }

  /** Returns the unit of a figure. */
  static String unit(String name) {
    return UNITS.getOrDefault(name, "");
  }
}
