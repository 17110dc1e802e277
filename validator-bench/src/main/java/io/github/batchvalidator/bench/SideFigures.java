// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Figures of a benchmark beside its time, among the secondary metrics of JMH's results. This is a
 * profiler because JMH's own counters cannot average over iterations or report a percentile, and
 * because its work is not timed. {@link Main} switches it on.
 */
public final class SideFigures implements InternalProfiler {
  private static volatile DoubleFunction<List<Figure>> source = SideFigures::nothing;

  /** Creates the profiler. */
  public SideFigures() {}

  /**
   * One figure of one iteration.
   *
   * @param name in the results
   * @param value of the iteration; they are averaged
   * @param unit for readers
   */
  record Figure(String name, double value, String unit) {}

  /**
   * Asks for figures after each iteration, warm-up included, until others are asked for: a JVM runs
   * one benchmark. After the last iteration its state is torn down already.
   *
   * @param figures is given the mean time of a run in seconds
   */
  static void report(DoubleFunction<List<Figure>> figures) {
    source = figures;
  }

  private static List<Figure> nothing(double secondsPerRun) {
    return List.of();
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double score = result.getPrimaryResult().getScore();
    double unitSeconds = (double) benchmark.getTimeUnit().toNanos(1) / TimeUnit.SECONDS.toNanos(1);
    double secondsPerRun =
        benchmark.getMode() == Mode.Throughput ? unitSeconds / score : unitSeconds * score;
    return source.apply(secondsPerRun).stream().map(SideFigures::result).toList();
  }

  private static ScalarResult result(Figure figure) {
    return new ScalarResult(figure.name(), figure.value(), figure.unit(), AggregationPolicy.AVG);
  }

  @Override
  public String getDescription() {
    return "Figures of the benchmarks of Batch Validator beside their time";
  }
}
