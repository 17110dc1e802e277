// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.Map;
import java.util.stream.Stream;

/**
 * The ratio of the times of two columns of a table, such as {@code KAFKA_LOG_VALIDATOR/CORE}.
 *
 * @param upper the column of the dividend
 * @param lower the column of the divisor
 * @param isOfLeast whether the least times are compared instead of the medians: a machine that is
 *     slow now and then does not affect them
 */
record Ratio(String upper, String lower, boolean isOfLeast) {
  private static final String LEAST = "@least";

  static Ratio parse(String text) {
    String[] names = text.replace(LEAST, "").split("/", 2);
    if (names.length < 2) {
      throw new IllegalArgumentException("a ratio is COLUMN/COLUMN, not " + text);
    }
    return new Ratio(names[0], names[1], text.endsWith(LEAST));
  }

  /** Returns the ratio of times, or NaN if a column is missing; rates are inverted. */
  double of(Map<String, Row> cell) {
    Row dividend = cell.get(upper);
    Row divisor = cell.get(lower);
    if (dividend == null || divisor == null) {
      return Double.NaN;
    }
    return time(dividend.primary()) / time(divisor.primary());
  }

  private double time(Metric metric) {
    if (metric.isRate()) {
      return 1 / (isOfLeast ? metric.largest() : metric.median());
    }
    return (isOfLeast ? metric.least() : metric.median()) * Labels.scale(metric, "ns");
  }

  /** Returns the ratio as text, marked if one of its medians is. */
  String text(Map<String, Row> cell) {
    double ratio = of(cell);
    if (Double.isNaN(ratio)) {
      return "-";
    }
    boolean isUnsure =
        !isOfLeast
            && Stream.of(upper, lower)
                .flatMap(column -> Stream.ofNullable(cell.get(column)))
                .anyMatch(row -> row.primary().isUnsure());
    return (isUnsure ? Labels.UNSURE : "") + Labels.number(ratio);
  }

  /** Returns the title of the column. */
  String label(String across) {
    String label = Labels.of(across, upper) + " / " + Labels.of(across, lower);
    return isOfLeast ? label + ", least" : label;
  }
}
