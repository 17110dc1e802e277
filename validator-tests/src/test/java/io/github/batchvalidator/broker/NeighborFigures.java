// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.protocol.Errors;

/**
 * The figures of one broker: a well-behaved producer and a hostile client.
 *
 * @param neighbor the records of the well-behaved producer
 * @param failed its records that got an error
 * @param answers to the hostile requests
 * @param nanos the time in which they were answered
 * @param logBytes what the broker logged meanwhile
 * @param troubles of the broker, in words; none if all went well
 */
record NeighborFigures(
    Histogram neighbor,
    int failed,
    Map<Errors, Long> answers,
    long nanos,
    long logBytes,
    List<String> troubles) {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int MEDIAN = 50;
  private static final int P99 = 99;
  private static final int LONGEST = 100;

  /** Returns the cell of the short table. */
  String toCell() {
    StringBuilder cell = new StringBuilder(neighbor.getTotalCount() == 0 ? "none" : millis(P99));
    if (requests() > 0) {
      cell.append(String.format(Locale.ROOT, " (%,.0f/s)", perSecond()));
    }
    troubles.forEach(each -> cell.append(", **").append(each).append("**"));
    if (failed > 0) {
      cell.append(", **").append(failed).append(" records failed**");
    }
    return cell.toString();
  }

  /** Returns the cells of the long table. */
  String toCells() {
    String percentiles =
        neighbor.getTotalCount() == 0
            ? "- | - | -"
            : String.join(" | ", millis(MEDIAN), millis(P99), millis(LONGEST));
    return String.format(
        Locale.ROOT,
        "%d | %d | %s | %.0f | %s | %s | %s",
        neighbor.getTotalCount(),
        failed,
        percentiles,
        perSecond(),
        requests() == 0 ? "-" : String.format(Locale.ROOT, "%,d", logBytes / requests()),
        answers.keySet().stream().map(Enum::name).collect(Collectors.joining(", ")),
        String.join(", ", troubles));
  }

  private long requests() {
    return answers.values().stream().mapToLong(Long::longValue).sum();
  }

  private double perSecond() {
    return requests() / (nanos / NANOS_PER_SECOND);
  }

  private String millis(int percent) {
    return String.format(
        Locale.ROOT, "%.1f", neighbor.getValueAtPercentile(percent) / NANOS_PER_MILLI);
  }
}
