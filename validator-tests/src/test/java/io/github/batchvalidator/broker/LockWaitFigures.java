// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The events that the flight recorder wrote in one run.
 *
 * @param perSecond waits in a second
 * @param p50 microseconds, half of the waits were no longer
 * @param p99 the same of 99 in 100
 * @param longest the longest
 * @param meanwhile by the agent that measures: whether recording disturbs
 */
record LockWaitFigures(
    double perSecond, double p50, double p99, double longest, LockHoldFigures meanwhile) {
  static final String HEAD =
      """
      | broker | waits/s | p50 | p99 | longest | appends/s | waits per 100 appends | held meanwhile, p50 |
      |---|---:|---:|---:|---:|---:|---:|---:|
      """;

  static LockWaitFigures of(Histogram waits, double seconds, LockHoldFigures meanwhile) {
    return new LockWaitFigures(
        waits.getTotalCount() / seconds,
        LockHoldFigures.micros(waits, 50),
        LockHoldFigures.micros(waits, 99),
        LockHoldFigures.micros(waits, 100),
        meanwhile);
  }

  /** Returns the median of several runs, figure by figure. */
  static LockWaitFigures median(List<LockWaitFigures> runs) {
    return new LockWaitFigures(
        Medians.of(runs, LockWaitFigures::perSecond),
        Medians.of(runs, LockWaitFigures::p50),
        Medians.of(runs, LockWaitFigures::p99),
        Medians.of(runs, LockWaitFigures::longest),
        LockHoldFigures.median(runs.stream().map(LockWaitFigures::meanwhile).toList()));
  }

  /** Returns a row of a table. */
  String toRow(String first) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %.1f | %.0f | %.0f | %.1f | %.1f |%n",
        first,
        perSecond,
        p50,
        p99,
        longest,
        meanwhile.perSecond(),
        100 * perSecond / meanwhile.perSecond(),
        meanwhile.p50());
  }
}
