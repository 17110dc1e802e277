// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * One quantity of a row.
 *
 * @param unit as JMH names it: {@code ns/op}, {@code B/op}
 * @param median the median of the iterations or, in sample mode, of the single calls
 * @param low where the interval of the median begins; NaN if there was one iteration only
 * @param high where it ends, or NaN
 * @param least the least value, NaN if it is not told
 * @param largest the largest value, NaN if it is not told
 */
public record Metric(
    String unit, double median, double low, double high, double least, double largest) {
  /** How sure an interval is of the median, if there are iterations enough to be that sure. */
  public static final double CONFIDENCE = 0.999;

  /** The part of a published file that tells the value of each iteration, by fork. */
  static final String ITERATIONS = "iterations";

  /** JMH's own name of it. */
  static final String RAW = "rawData";

  /** Reads what JMH or {@link Publication} wrote of the quantity that a benchmark is about. */
  static Metric of(JsonNode json) {
    Metric all = besides(json);
    double[] sorted = iterations(json);
    if (sorted.length == 0) {
      return all;
    }
    boolean isOne = sorted.length == 1;
    int outside = outside(sorted.length);
    return new Metric(
        all.unit,
        all.median,
        isOne ? Double.NaN : sorted[outside],
        isOne ? Double.NaN : sorted[sorted.length - 1 - outside],
        all.least,
        all.largest);
  }

  /** Reads a quantity of which iterations are not kept: its interval has all of them. */
  static Metric besides(JsonNode json) {
    JsonNode percentiles = json.path("scorePercentiles");
    double least = number(percentiles.path("0.0"));
    double largest = number(percentiles.path("100.0"));
    double median = number(percentiles.path("50.0"));
    return new Metric(
        json.path("scoreUnit").asText(),
        Double.isNaN(median) ? number(json.path("score")) : median,
        least,
        largest,
        least,
        largest);
  }

  private static double[] iterations(JsonNode json) {
    return elements(json.path(json.has(ITERATIONS) ? ITERATIONS : RAW))
        .flatMap(Metric::elements)
        .flatMapToDouble(value -> DoubleStream.of(number(value)))
        .sorted()
        .toArray();
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /**
   * Returns how many of the least and of the largest values are left out by the narrowest interval
   * that holds the median of all that could have been measured with {@link #CONFIDENCE}. Whatever
   * their distribution, a value lies below that median as often as a coin falls on one side. With
   * less than eleven values even all of them are less sure than that.
   */
  private static int outside(int values) {
    double onOneSide = (1 - CONFIDENCE) / 2;
    int tooMany =
        new BinomialDistribution(null, values, 0.5).inverseCumulativeProbability(onOneSide);
    return Math.max(0, tooMany - 1);
  }

  /** JMH writes what is not finite as a string, and leaves out what it does not know. */
  private static double number(JsonNode json) {
    return json.isNumber() ? json.doubleValue() : Double.NaN;
  }

  /** Tells whether more is better, as of operations per second. */
  boolean isRate() {
    return unit.startsWith("ops/") || unit.equals("1/s");
  }

  /** Returns how far the interval reaches below the median, as a part of it; or NaN. */
  double below() {
    return 1 - low / median;
  }

  /** Returns how far the interval reaches above the median, as a part of it; or NaN. */
  double above() {
    return high / median - 1;
  }
}
