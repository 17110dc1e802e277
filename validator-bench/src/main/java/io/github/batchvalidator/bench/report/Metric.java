// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * One measured quantity of a row.
 *
 * @param unit JMH's name of the unit, such as {@code ns/op} or {@code B/op}
 * @param median the median of the iterations or, in sample mode, of the single calls
 * @param low the lower end of the interval of the median; NaN after a single iteration
 * @param high the upper end, or NaN
 * @param least the least value
 * @param largest the largest value
 */
public record Metric(
    String unit, double median, double low, double high, double least, double largest) {
  /** The confidence of an interval, provided there are eleven iterations or more. */
  static final double CONFIDENCE = 0.999;

  /** A figure whose interval reaches further than this part of the median is marked. */
  private static final double WIDE = 0.05;

  /** The unit of the ratio of a live broker to the stock broker. */
  static final String RATIO = "x";

  /** Reads the primary quantity of a row; its interval comes from the single iterations. */
  static Metric primary(JsonNode json) {
    Metric range = secondary(json);
    double[] sorted =
        StreamSupport.stream(json.path(Publication.RAW).spliterator(), false)
            .flatMap(fork -> StreamSupport.stream(fork.spliterator(), false))
            .mapToDouble(Metric::number)
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      return range;
    }
    int outside = outside(sorted.length);
    boolean isSingle = sorted.length == 1;
    double low = isSingle ? Double.NaN : sorted[outside];
    double high = isSingle ? Double.NaN : sorted[sorted.length - 1 - outside];
    return new Metric(range.unit, range.median, low, high, range.least, range.largest);
  }

  /** Reads any other quantity of a row; its interval goes from the least value to the largest. */
  static Metric secondary(JsonNode json) {
    JsonNode percentiles = json.path("scorePercentiles");
    double least = number(percentiles.path("0.0"));
    double median = number(percentiles.path("50.0"));
    double largest = number(percentiles.path("100.0"));
    return new Metric(json.path("scoreUnit").asText(), median, least, largest, least, largest);
  }

  /**
   * Returns how many values on either side lie outside the narrowest interval that contains the
   * true median with {@link #CONFIDENCE}. This holds for any distribution: a value is below the
   * median with probability 1/2. Fewer than eleven values cannot reach the confidence; their
   * interval contains all of them.
   */
  private static int outside(int values) {
    var below = new BinomialDistribution(null, values, 0.5);
    return Math.max(0, below.inverseCumulativeProbability((1 - CONFIDENCE) / 2) - 1);
  }

  /** JMH writes numbers that are not finite as strings. */
  private static double number(JsonNode json) {
    return json.isNumber() ? json.doubleValue() : Double.NaN;
  }

  /** Returns true if a larger value is better. */
  boolean isRate() {
    return unit.startsWith("ops/") || unit.equals("1/s");
  }

  /** Returns the distance from the median to the lower end, as a part of the median, or NaN. */
  double below() {
    return 1 - low / median;
  }

  /** Returns the distance from the median to the upper end, as a part of the median, or NaN. */
  double above() {
    return high / median - 1;
  }

  /** Returns true if the interval is wide or unknown or, of a ratio, contains 1. */
  boolean isUnsure() {
    return unit.equals(RATIO) ? least <= 1 && largest >= 1 : !(below() <= WIDE && above() <= WIDE);
  }

  /**
   * Returns the median as text, marked if it is unsure. A ratio of live brokers is followed by the
   * least and the largest.
   */
  String text() {
    String text = (isUnsure() ? "~" : "") + number(median);
    return unit.equals(RATIO) ? text + " (" + number(least) + " to " + number(largest) + ")" : text;
  }

  /** Returns a number with three significant digits and grouped thousands. */
  public static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 99.95 || value == 0 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
