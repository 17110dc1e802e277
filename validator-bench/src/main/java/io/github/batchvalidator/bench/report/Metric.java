// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/**
 * One quantity of a row.
 *
 * @param unit as JMH names it: {@code ns/op}, {@code B/op}
 * @param median the median of the iterations or, in sample mode, of the single calls
 * @param spread half the confidence interval of 99.9 %, as a part of the mean; NaN if there was one
 *     iteration only
 * @param least the least value, NaN if it is not told
 * @param largest the largest value, NaN if it is not told
 */
public record Metric(String unit, double median, double spread, double least, double largest) {
  /** Of an interval, as JMH's. */
  public static final double CONFIDENCE = 0.999;

  /** The part of a published file that tells the value of each iteration, by fork. */
  static final String ITERATIONS = "iterations";

  /** Reads what JMH or {@link Publication} wrote of one quantity. */
  static Metric of(JsonNode json) {
    double mean = number(json.path("score"));
    double median = number(json.path("scorePercentiles").path("50.0"));
    return new Metric(
        json.path("scoreUnit").asText(),
        Double.isNaN(median) ? mean : median,
        spread(json, mean),
        number(json.path("scorePercentiles").path("0.0")),
        number(json.path("scorePercentiles").path("100.0")));
  }

  /**
   * Of single calls JMH takes each for independent, which makes its interval too narrow: then the
   * medians of the iterations tell, if they are there.
   */
  private static double spread(JsonNode json, double mean) {
    JsonNode forks = json.path(ITERATIONS);
    if (forks.isMissingNode()) {
      return number(json.path("scoreError")) / Math.abs(mean);
    }
    List<Double> values = new ArrayList<>();
    forks.forEach(fork -> fork.forEach(value -> values.add(number(value))));
    ListStatistics all =
        new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
    return all.getMeanErrorAt(CONFIDENCE) / Math.abs(all.getMean());
  }

  /** JMH writes what is not finite as a string, and leaves out what it does not know. */
  private static double number(JsonNode json) {
    return json.isNumber() ? json.doubleValue() : Double.NaN;
  }

  /** Tells whether more is better, as of operations per second. */
  boolean isRate() {
    return unit.startsWith("ops/");
  }

  /** Returns the least value of the confidence interval around the median. */
  double low() {
    return median * (1 - spread);
  }

  /** Returns the largest value of the confidence interval around the median. */
  double high() {
    return median * (1 + spread);
  }
}
