// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.Locale;
import java.util.Map;

/** How names and figures are written for readers. Text between backticks is code. */
final class Labels {
  /** An interval of more than 5 % to either side is not good enough for a figure without a mark. */
  static final double WIDE = 0.05;

  /** The mark. */
  static final String UNSURE = "~";

  private static final double KIB = 1 << 10;
  private static final double MIB = 1 << 20;

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
          "DROP_IN_JAVA_GZIP", "drop-in, gzip in Java",
          "DROP_IN_AGENT", "drop-in and agent");

  private static final Map<String, Double> NANOSECONDS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  private Labels() {}

  /** Returns how the value of a field of {@link Row} is written. */
  static String of(String field, String value) {
    return switch (field) {
      case Row.CONTENDER -> CONTENDERS.getOrDefault(value, "`" + value + "`");
      case "shape" -> value.matches("\\d+x\\d+") ? shape(value) : value;
      default -> value.matches("\\d+") ? count(field, value) : value;
    };
  }

  private static String count(String field, String value) {
    return field.endsWith("Bytes")
        ? onAxis(field, Double.parseDouble(value))
        : String.format(Locale.ROOT, "%s %,d", field, Long.parseLong(value));
  }

  private static String shape(String shape) {
    int cross = shape.indexOf('x');
    int valueBytes = Integer.parseInt(shape.substring(cross + 1));
    String size = valueBytes % 1024 == 0 ? valueBytes / 1024 + " KiB" : valueBytes + " B";
    return shape.substring(0, cross) + " x " + size;
  }

  /** Returns a median in a unit of time, or in its own unit if that is not a time per call. */
  static String figure(Metric metric, String unit) {
    return (isUnsure(metric) ? UNSURE : "") + number(in(metric, unit));
  }

  /** Tells whether an interval is wide or not known. */
  static boolean isUnsure(Metric metric) {
    return !(metric.below() <= WIDE && metric.above() <= WIDE);
  }

  /** Returns the median of a time in another unit; what is no time is returned as it is. */
  static double in(Metric metric, String unit) {
    return metric.median() * scale(metric, unit);
  }

  /** Returns the least value of a time in another unit; what is no time is returned as it is. */
  static double leastIn(Metric metric, String unit) {
    return metric.least() * scale(metric, unit);
  }

  private static double scale(Metric metric, String unit) {
    Double from = NANOSECONDS.get(metric.unit().replace("/op", ""));
    Double to = NANOSECONDS.get(unit);
    return from == null || to == null ? 1 : from / to;
  }

  /** Returns a number with three digits that count, and thousands apart. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 99.95 || value == 0 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /**
   * Returns bytes per call: JMH's column carries its sampling, so that parts of a byte are none.
   */
  static String bytes(Metric metric) {
    return String.format(Locale.ROOT, "%,.0f", metric.median());
  }

  /** Returns a median with the unit that gives it one to three digits before the point. */
  static String withUnit(Metric metric) {
    if (metric.unit().equals("B/s")) {
      return number(metric.median() / 1e6) + " MB/s";
    }
    String unit = metric.unit().replace("/op", "");
    if (!NANOSECONDS.containsKey(unit)) {
      return number(metric.median()) + " " + metric.unit();
    }
    double nanoseconds = in(metric, "ns");
    String best =
        nanoseconds < 1e3 ? "ns" : nanoseconds < 1e6 ? "us" : nanoseconds < 1e9 ? "ms" : "s";
    return number(in(metric, best)) + " " + best;
  }

  /** Returns how far the interval reaches to both sides, or nothing if it is not known. */
  static String interval(Metric metric) {
    return Double.isNaN(metric.below())
        ? ""
        : String.format(
            Locale.ROOT, " -%.1f to +%.1f %%", metric.below() * 100, metric.above() * 100);
  }

  /** Returns a value of a field that a curve runs along. */
  static String onAxis(String field, double value) {
    if (!field.endsWith("Bytes") || value < KIB) {
      return brief(value);
    }
    return value < MIB ? brief(value / KIB) + " KiB" : brief(value / MIB) + " MiB";
  }

  /** Returns a value of an axis: no more than four characters for round ones. */
  static String brief(double value) {
    if (value >= 1e6) {
      return withoutZeros(value / 1e6) + "M";
    }
    return value >= 1e4 ? withoutZeros(value / 1e3) + "k" : withoutZeros(value);
  }

  /** Behind the point, that is. */
  private static String withoutZeros(double value) {
    return number(value).replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
  }
}
