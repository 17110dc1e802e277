// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;

/**
 * One bar for each contender, from 0 on, and a dashed line where bare decompression ends. Has a
 * scale of its own, which is why each bar carries its figure.
 */
final class BarPanel {
  private static final int WIDTH = 340;
  private static final int FIGURE_WIDTH = 116;
  private static final int LETTER_WIDTH = 7;
  private static final int LEAST_NAME_WIDTH = 96;

  /** How far the scale goes beyond the longest bar; an interval that goes further is cut there. */
  private static final double ROOM = 1.15;

  private static final int ROW_HEIGHT = 26;
  private static final int BAR_HEIGHT = 14;

  private final List<Row> rows;
  private final String across;
  private final int barsFrom;
  private final double most;
  private final double floor;

  BarPanel(List<Row> rows, String across) {
    this.rows = rows.stream().filter(row -> !row.isCopy()).toList();
    this.across = across;
    int longest = this.rows.stream().mapToInt(row -> name(row).length()).max().orElse(0);
    barsFrom = 8 + Math.max(LEAST_NAME_WIDTH, longest * LETTER_WIDTH);
    double largest = this.rows.stream().mapToDouble(row -> row.primary().median()).max().orElse(1);
    most = ROOM * largest;
    floor =
        this.rows.stream()
            .filter(Row::isFloor)
            .mapToDouble(row -> row.primary().median())
            .findFirst()
            .orElse(Double.NaN);
  }

  private double high(Metric metric) {
    return Double.isNaN(metric.high()) ? metric.median() : Math.min(most, metric.high());
  }

  /** Returns a figure with its caption. */
  String html(String caption) {
    int height = rows.size() * ROW_HEIGHT + 4;
    StringBuilder html = new StringBuilder("<figure class=\"panel\">");
    html.append(Html.caption(caption));
    html.append(
        Html.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH, height, Html.plain(caption)));
    for (int i = 0; i < rows.size(); i++) {
      html.append(bar(rows.get(i), middle(i)));
    }
    if (!Double.isNaN(floor)) {
      html.append(
          Html.format(
              "<line class=\"floor\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"0\" y2=\"%2$d\"/>%n",
              x(floor), height));
    }
    for (int i = 0; i < rows.size(); i++) {
      html.append(words(rows.get(i), middle(i)));
    }
    return html.append("</svg></figure>\n").toString();
  }

  private static int middle(int i) {
    return 2 + i * ROW_HEIGHT + ROW_HEIGHT / 2;
  }

  private String bar(Row row, int middle) {
    Metric metric = row.primary();
    String bar =
        Html.format(
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>%n",
            family(row),
            barsFrom,
            middle - BAR_HEIGHT / 2,
            x(metric.median()) - barsFrom,
            BAR_HEIGHT,
            Html.plain(row.label() + ": " + Labels.withUnit(metric) + Labels.interval(metric)));
    if (Double.isNaN(metric.high())) {
      return bar;
    }
    return bar
        + Html.format(
            "<line class=\"interval\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\"/>%n",
            x(metric.low()), x(high(metric)), middle);
  }

  /** Over the bars and the floor's line, which they may cross. */
  private String words(Row row, int middle) {
    return Html.format(
        "<text class=\"name\" x=\"%1$d\" y=\"%2$d\">%3$s</text><text x=\"%4$.1f\" y=\"%2$d\">%5$s</text>%n",
        barsFrom - 8,
        middle + 4,
        Html.plain(name(row)),
        x(high(row.primary())) + 6,
        Html.plain(figure(row)));
  }

  private String name(Row row) {
    return Labels.of(across, row.value(across)).replace("`", "");
  }

  private double x(double value) {
    return barsFrom + (WIDTH - FIGURE_WIDTH - barsFrom) * value / most;
  }

  private String figure(Row row) {
    String figure = Labels.withUnit(row.primary());
    boolean isCompared = !Double.isNaN(floor) && !row.isFloor();
    return isCompared
        ? figure + " (" + Labels.number(row.primary().median() / floor) + " x)"
        : figure;
  }

  private static String family(Row row) {
    String contender = row.value(Row.CONTENDER);
    if (row.isFloor()) {
      return "bare";
    }
    return contender.startsWith("KAFKA") || contender.startsWith("ALLOC") ? "kafka" : "ours";
  }
}
