// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows of a later file beside those of an earlier one. */
public final class Comparison {
  /** Below it, docs/benchmarks.md says, differences are none: code moves, and the JIT with it. */
  public static final double LEAST_DIFFERENCE = 0.05;

  /** How a row of the later file stands to that of the earlier one. */
  public enum Change {
    /** The whole interval lies above 1, the ratio above the least difference. */
    SLOWER,
    /** The same on the other side. */
    FASTER,
    /** Neither, or there is no interval. */
    NOISE
  }

  /**
   * A row that both files have.
   *
   * @param label what tells it from all others
   * @param ratio the later time by the earlier one; of rates the earlier by the later
   * @param low where the interval of the ratio begins; NaN if not known
   * @param high where it ends; NaN if not known
   * @param bytes allocated per call, earlier and later, to be read; empty if not known
   */
  public record Line(String label, double ratio, double low, double high, String bytes) {
    /** Returns what may be said of the row. */
    public Change change() {
      if (low > 1 && ratio > 1 + LEAST_DIFFERENCE) {
        return Change.SLOWER;
      }
      if (high < 1 && ratio < 1 / (1 + LEAST_DIFFERENCE)) {
        return Change.FASTER;
      }
      return Change.NOISE;
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%5.3f [%5.3f, %5.3f] %-6s %s%s",
          ratio,
          low,
          high,
          change() == Change.NOISE ? "" : change().toString().toLowerCase(Locale.ROOT),
          label,
          bytes);
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final List<String> onlyEarlier = new ArrayList<>();
  private final List<String> onlyLater = new ArrayList<>();

  /** Compares the rows of two files. */
  public Comparison(List<Row> earlier, List<Row> later) {
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
    onlyLater.addAll(rest.keySet());
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

  /** Told and not judged: the column carries what JMH itself allocates. */
  private static String bytes(Row earlier, Row later) {
    Metric a = earlier.metric(Row.ALLOCATION);
    Metric b = later.metric(Row.ALLOCATION);
    return a == null || b == null
        ? ""
        : String.format(Locale.ROOT, ", %.0f -> %.0f B/op", a.median(), b.median());
  }

  /** Returns the rows that both files have, in the order of the earlier one. */
  public List<Line> lines() {
    return lines;
  }

  /** Returns what only the earlier file has. */
  public List<String> onlyEarlier() {
    return onlyEarlier;
  }

  /** Returns what only the later file has. */
  public List<String> onlyLater() {
    return onlyLater;
  }

  /** Returns how many rows changed in one way. */
  public long count(Change change) {
    return lines.stream().filter(line -> line.change() == change).count();
  }

  /** Returns everything as text: the rows, what only one file has, and a line that sums up. */
  public String text() {
    StringBuilder text = new StringBuilder("later / earlier, its interval\n");
    lines.forEach(line -> text.append(line.text()).append('\n'));
    onlyEarlier.forEach(
        label -> text.append("only in the earlier file: ").append(label).append('\n'));
    onlyLater.forEach(label -> text.append("only in the later file: ").append(label).append('\n'));
    return text.append(
            "%d rows: %d slower, %d faster, %d within noise or 5 %%%n"
                .formatted(
                    lines.size(), count(Change.SLOWER), count(Change.FASTER), count(Change.NOISE)))
        .toString();
  }
}
