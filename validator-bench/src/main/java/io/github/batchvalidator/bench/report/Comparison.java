// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows of a later file next to those of an earlier one. */
final class Comparison {
  /** Smaller differences are not reported: code moves, and with it what the JIT makes of it. */
  private static final double LEAST_DIFFERENCE = 0.05;

  /** The most rows of one file alone that are named. */
  private static final int MOST_NAMED = 5;

  /** How a row of the later file differs from the same row of the earlier file. */
  enum Change {
    /** The interval of the ratio is above 1, and the ratio exceeds the least difference. */
    SLOWER,
    /** The same in the other direction. */
    FASTER,
    /** Anything else, or the interval is unknown. */
    NOISE
  }

  /**
   * A row that both files contain.
   *
   * @param label identifies the row
   * @param ratio the later time divided by the earlier one; rates are inverted
   * @param low the lower end of the interval of the ratio; NaN if unknown
   * @param high the upper end; NaN if unknown
   * @param bytes the bytes allocated per call, earlier and later, as text; they are not judged
   *     because JMH's own allocation is part of them
   */
  record Line(String label, double ratio, double low, double high, String bytes) {
    Change change() {
      if (low > 1 && ratio > 1 + LEAST_DIFFERENCE) {
        return Change.SLOWER;
      }
      boolean isFaster = high < 1 && ratio < 1 / (1 + LEAST_DIFFERENCE);
      return isFaster ? Change.FASTER : Change.NOISE;
    }

    private String text() {
      String change = change() == Change.NOISE ? "" : change().name().toLowerCase(Locale.ROOT);
      return String.format(
          Locale.ROOT, "%5.3f [%5.3f, %5.3f] %-6s %s%s%n", ratio, low, high, change, label, bytes);
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final List<String> onlyEarlier = new ArrayList<>();
  private final List<String> onlyLater;

  /**
   * Compares two files.
   *
   * @throws IllegalArgumentException if a row has another unit in the other file
   */
  Comparison(List<Row> earlier, List<Row> later) {
    Map<String, Row> rest = new LinkedHashMap<>();
    later.forEach(row -> rest.put(row.label(), row));
    for (Row row : earlier) {
      Row other = rest.remove(row.label());
      if (other == null) {
        onlyEarlier.add(row.label());
      } else {
        lines.add(line(row, other));
      }
    }
    onlyLater = List.copyOf(rest.keySet());
  }

  private static Line line(Row earlier, Row later) {
    Metric a = earlier.primary();
    Metric b = later.primary();
    if (!a.unit().equals(b.unit())) {
      throw new IllegalArgumentException(
          "%s is in %s and in %s".formatted(earlier.label(), a.unit(), b.unit()));
    }
    Metric upper = a.isRate() ? a : b;
    Metric lower = a.isRate() ? b : a;
    double ratio = upper.median() / lower.median();
    return new Line(
        earlier.label(),
        ratio,
        ratio * Math.exp(-Math.hypot(Math.log1p(-upper.below()), Math.log1p(lower.above()))),
        ratio * Math.exp(Math.hypot(Math.log1p(upper.above()), Math.log1p(-lower.below()))),
        bytes(earlier, later));
  }

  private static String bytes(Row earlier, Row later) {
    Metric a = earlier.secondary().get(Row.ALLOCATION);
    Metric b = later.secondary().get(Row.ALLOCATION);
    return a == null || b == null
        ? ""
        : String.format(Locale.ROOT, ", %.0f -> %.0f B/op", a.median(), b.median());
  }

  /** Returns the rows that both files contain, in the order of the earlier file. */
  List<Line> lines() {
    return lines;
  }

  long count(Change change) {
    return lines.stream().filter(line -> line.change() == change).count();
  }

  /** Returns all rows as text, followed by a summary. */
  String text() {
    StringBuilder text = new StringBuilder("later / earlier, its interval\n");
    lines.forEach(line -> text.append(line.text()));
    appendOnly(text, "earlier", onlyEarlier);
    appendOnly(text, "later", onlyLater);
    return text.append(
            "%d rows: %d slower, %d faster, %d within noise or 5 %%%n"
                .formatted(
                    lines.size(), count(Change.SLOWER), count(Change.FASTER), count(Change.NOISE)))
        .toString();
  }

  /** Names the rows, or counts them: a run of a few rows lacks nearly all of a full one. */
  private static void appendOnly(StringBuilder text, String file, List<String> rows) {
    if (rows.size() > MOST_NAMED) {
      text.append("only in the " + file + " file: " + rows.size() + " rows\n");
    } else {
      rows.forEach(row -> text.append("only in the " + file + " file: " + row + "\n"));
    }
  }
}
