// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What was seen of one broker.
 *
 * @param broker its line, and whether the agent is with it
 * @param requests hostile ones
 * @param nanos what they took, one after the other
 * @param before the well-behaved producer alone, as soon as the broker is warm enough for it
 * @param beside the same producer beside them, but for collections that were asked for
 * @param after alone again; by then the broker is warmer
 * @param live bytes of the heap after each round
 * @param logBytes of the broker's log per rejected batch, on average
 * @param mostLogBytes of the broker's log for one rejected batch
 */
record HostileFigures(
    String broker,
    int requests,
    long nanos,
    Latencies before,
    Latencies beside,
    Latencies after,
    List<Long> live,
    long logBytes,
    long mostLogBytes) {
  private static final String HEAD =
      """
      | broker | hostile requests | per second | before: records | p50 | p99 | beside: records | p50 | p99 | after: records | p50 | p99 | live heap after a round, KiB: least | most | log per rejected batch, bytes | most |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int KIB = 1024;

  /** Returns a page with a row for each broker. */
  static String table(List<HostileFigures> all) {
    StringBuilder text = new StringBuilder();
    text.append("JDK ").append(System.getProperty("java.version")).append(", ");
    text.append(Runtime.getRuntime().availableProcessors());
    text.append(
        " processors, which brokers and clients share; microseconds of a producer's records,");
    text.append(" one after the other,\nbefore the hostile requests, beside them and after them.");
    text.append(" A broker has just started before, which makes it slower than later.\n\n");
    text.append(HEAD);
    all.forEach(each -> text.append(each.toRow()));
    return text.toString();
  }

  private String toRow() {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.0f | %s | %s | %s | %d | %d | %d | %d |%n",
        broker,
        requests,
        requests / (nanos / NANOS_PER_SECOND),
        cells(before),
        cells(beside),
        cells(after),
        Collections.min(live) / KIB,
        Collections.max(live) / KIB,
        logBytes,
        mostLogBytes);
  }

  private static String cells(Latencies latencies) {
    return String.format(
        Locale.ROOT, "%d | %d | %d", latencies.count(), latencies.micros(50), latencies.micros(99));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Kafka %s: %d hostile requests; another producer's records before, beside and after them:"
            + " %s, %s, %s; live heap after each round, bytes: %s; bytes of log per rejected batch:"
            + " %d, most %d%n",
        broker,
        requests,
        words(before),
        words(beside),
        words(after),
        live,
        logBytes,
        mostLogBytes);
  }

  private static String words(Latencies latencies) {
    return String.format(
        Locale.ROOT,
        "%d records, p50 %d us, p99 %d us",
        latencies.count(),
        latencies.micros(50),
        latencies.micros(99));
  }
}
