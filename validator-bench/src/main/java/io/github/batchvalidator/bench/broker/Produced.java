// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Kafka's {@code ProducerPerformance} says of a slot. Its first records, while it is compiled
 * itself, count as records, and not towards speed and latency.
 *
 * @param records all that were acknowledged
 * @param recordsPerSecond of the steady state
 * @param p99Ms latency of the steady state as the producer sees it, its own queue included
 * @param batchBytes mean size of the batches as they were sent, in compressed bytes; without a
 *     linger it depends on how fast the broker answers
 */
record Produced(long records, double recordsPerSecond, double p99Ms, double batchBytes) {
  private static final Pattern SUMMARY =
      Pattern.compile(
          "(\\d+)( steady state)? records sent, ([\\d.]+) records/sec .* (\\d+) ms 99th",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern BATCH =
      Pattern.compile("producer-metrics:batch-size-avg:\\{[^}]*}\\s*: ([\\d.]+)");

  /**
   * Reads the output of a producer.
   *
   * @throws IllegalArgumentException if it did not come to its end
   */
  static Produced parse(String output) {
    Matcher batch = BATCH.matcher(output);
    Matcher matcher = SUMMARY.matcher(output);
    long records = -1;
    Produced steady = null;
    while (matcher.find()) {
      if (matcher.group(2) == null) {
        records = Long.parseLong(matcher.group(1));
      } else {
        double perSecond = Double.parseDouble(matcher.group(3));
        double p99Ms = Double.parseDouble(matcher.group(4));
        double batchBytes = batch.find() ? Double.parseDouble(batch.group(1)) : Double.NaN;
        steady = new Produced(records, perSecond, p99Ms, batchBytes);
      }
    }
    if (records < 0 || steady == null || Double.isNaN(steady.batchBytes())) {
      throw new IllegalArgumentException("no summary of a producer:\n" + output);
    }
    return steady;
  }

  /** Returns the sum of producers who ran at the same time; the latency is that of the slowest. */
  static Produced sum(List<Produced> all) {
    return new Produced(
        all.stream().mapToLong(Produced::records).sum(),
        all.stream().mapToDouble(Produced::recordsPerSecond).sum(),
        all.stream().mapToDouble(Produced::p99Ms).max().orElseThrow(),
        all.stream().mapToDouble(Produced::batchBytes).average().orElseThrow());
  }
}
