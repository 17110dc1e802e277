// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.Locale;
import java.util.Map;

/** The text of names and figures in tables and charts. Text between backticks is code. */
final class Labels {
  /** The mark of a figure whose interval is wide or unknown. */
  static final String UNSURE = "~";

  static final String KAFKA = "Kafka";

  private static final Map<String, String> CONTENDERS =
      Map.of(
          "KAFKA", KAFKA,
          "KAFKA_LOG_VALIDATOR", KAFKA,
          "KAFKA_SKIP_ITERATOR", KAFKA + "'s iterator",
          "ALLOCATING_BASELINE", "allocating",
          "DECOMPRESS_ONLY", "floor",
          "TRANSCODE_ONLY", "floor",
          "DROP_IN", "drop-in",
          "DROP_IN_AGENT", "drop-in and agent");

  private static final Map<String, Double> NANOSECONDS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  private Labels() {}

  /** Returns the text of a value of a field of {@link Row}. */
  static String of(String field, String value) {
    if (field.equals(Row.CONTENDER)) {
      return CONTENDERS.getOrDefault(value, "`" + value + "`");
    }
    if (field.equals(Row.SHAPE) && value.matches("\\d+x\\d+")) {
      int cross = value.indexOf('x');
      return value.substring(0, cross) + " x " + size(value.substring(cross + 1));
    }
    if (!value.matches("\\d+")) {
      return value;
    }
    return field.endsWith("Bytes")
        ? size(value)
        : String.format(Locale.ROOT, "%s %,d", field, Long.parseLong(value));
  }

  private static String size(String bytes) {
    long size = Long.parseLong(bytes);
    for (String unit : new String[] {" B", " KiB"}) {
      if (size == 0 || size % 1024 != 0) {
        return size + unit;
      }
      size /= 1024;
    }
    return size + " MiB";
  }

  /** Returns a median; a time is converted to the unit, bytes per call are whole. */
  static String figure(Metric metric, String unit) {
    if (metric.unit().equals("B/op")) {
      return whole(metric.median());
    }
    return (metric.isUnsure() ? UNSURE : "") + number(metric.median() * scale(metric, unit));
  }

  /** Returns the factor from the unit of a time to another one; 1 if it is not a time. */
  static double scale(Metric metric, String unit) {
    Double from = NANOSECONDS.get(metric.unit().replace("/op", ""));
    Double to = NANOSECONDS.get(unit);
    return from == null || to == null ? 1 : from / to;
  }

  /** Returns a number with three significant digits and grouped thousands. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 99.95 || value == 0 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns a number without decimals. */
  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
