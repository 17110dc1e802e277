// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What one run counted.
 *
 * @param perSecond appends in a second
 * @param p50 for how long the lock was held, microseconds, half of the appends no longer
 * @param p99 the same of 99 in 100
 * @param p999 the same of 999 in 1000
 * @param longest the longest
 * @param cpu50 for how long the thread worked meanwhile, as p50
 * @param cpu99 as p99
 * @param heldShare of the time that the lock was held
 */
record LockHoldFigures(
    double perSecond,
    double p50,
    double p99,
    double p999,
    double longest,
    double cpu50,
    double cpu99,
    double heldShare) {
  static final String HEAD =
      """
      | broker | appends/s | p50 | p99 | p99.9 | longest | CPU p50 | CPU p99 | held of the time |
      |---|---:|---:|---:|---:|---:|---:|---:|---:|
      """;

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  static LockHoldFigures of(LockHold counts, double seconds) {
    Histogram held = counts.nanos();
    Histogram cpu = counts.cpuNanos();
    return new LockHoldFigures(
        held.getTotalCount() / seconds,
        micros(held, 50),
        micros(held, 99),
        micros(held, 99.9),
        micros(held, 100),
        micros(cpu, 50),
        micros(cpu, 99),
        held.getMean() * held.getTotalCount() / NANOS_PER_SECOND / seconds);
  }

  /** Returns what so many of a hundred did not exceed, not a number if there are none. */
  static double micros(Histogram nanos, double percent) {
    return nanos.getTotalCount() == 0
        ? Double.NaN
        : nanos.getValueAtPercentile(percent) / NANOS_PER_MICRO;
  }

  /** Returns the median of several runs, figure by figure. */
  static LockHoldFigures median(List<LockHoldFigures> runs) {
    return new LockHoldFigures(
        Medians.of(runs, LockHoldFigures::perSecond),
        Medians.of(runs, LockHoldFigures::p50),
        Medians.of(runs, LockHoldFigures::p99),
        Medians.of(runs, LockHoldFigures::p999),
        Medians.of(runs, LockHoldFigures::longest),
        Medians.of(runs, LockHoldFigures::cpu50),
        Medians.of(runs, LockHoldFigures::cpu99),
        Medians.of(runs, LockHoldFigures::heldShare));
  }

  /** Returns a row of a table. */
  String toRow(String first) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %.1f | %.1f | %.0f | %.1f | %.1f | %.0f %% |%n",
        first,
        perSecond,
        p50,
        p99,
        p999,
        longest,
        cpu50,
        cpu99,
        100 * heldShare);
  }
}
