// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

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

  static LockHoldFigures between(long[] before, long[] after, double seconds) {
    long[] counts = new long[LockHold.BUCKETS];
    long[] cpu = new long[LockHold.BUCKETS];
    double held = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = after[i] - before[i];
      cpu[i] = after[i + counts.length] - before[i + counts.length];
      held += counts[i] * LockHold.nanos(i);
    }
    return new LockHoldFigures(
        Arrays.stream(counts).sum() / seconds,
        micros(counts, 0.5),
        micros(counts, 0.99),
        micros(counts, 0.999),
        micros(counts, 1),
        micros(cpu, 0.5),
        micros(cpu, 0.99),
        held / 1e9 / seconds);
  }

  private static double micros(long[] counts, double share) {
    long wanted = (long) Math.ceil(share * Arrays.stream(counts).sum());
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen > 0 && seen >= wanted) {
        return LockHold.nanos(i) / NANOS_PER_MICRO;
      }
    }
    return Double.NaN;
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
