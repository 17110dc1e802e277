// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;

/**
 * One bar for each contender, from 0 on, and a dashed line where bare decompression ends. Has a
 * scale of its own, which is why each bar carries its figure.
 */
final class BarPanel {
  private static final int WIDTH = 340;
  private static final int BARS_FROM = 104;
  private static final int BARS_WIDTH = 122;
  private static final int ROW_HEIGHT = 26;
  private static final int BAR_HEIGHT = 14;

  private final List<Row> rows;
  private final String across;
  private final double most;
  private final double floor;

  BarPanel(List<Row> rows, String across) {
    this.rows = rows.stream().filter(row -> !row.isCopy()).toList();
    this.across = across;
    most = this.rows.stream().mapToDouble(row -> high(row.primary())).max().orElse(1);
    floor =
        this.rows.stream()
            .filter(Row::isFloor)
            .mapToDouble(row -> row.primary().median())
            .findFirst()
            .orElse(Double.NaN);
  }

  private static double high(Metric metric) {
    return Double.isNaN(metric.spread()) ? metric.median() : metric.high();
  }

  /** Returns a figure with its caption. */
  String html(String caption) {
    int height = rows.size() * ROW_HEIGHT + 4;
    StringBuilder html = new StringBuilder("<figure class=\"panel\">");
    html.append(Html.format("<figcaption>%s</figcaption>%n", Html.text(caption)));
    html.append(
        Html.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH, height, Html.plain(caption)));
    for (int i = 0; i < rows.size(); i++) {
      html.append(bar(rows.get(i), 2 + i * ROW_HEIGHT));
    }
    if (!Double.isNaN(floor)) {
      html.append(
          Html.format(
              "<line class=\"floor\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"0\" y2=\"%2$d\"/>%n",
              x(floor), height));
    }
    return html.append("</svg></figure>\n").toString();
  }

  private String bar(Row row, int top) {
    Metric metric = row.primary();
    int middle = top + ROW_HEIGHT / 2;
    StringBuilder html = new StringBuilder("<g>");
    html.append(Html.format("<title>%s</title>", Html.plain(tip(row))));
    html.append(
        Html.format(
            "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>",
            BARS_FROM - 8, middle + 4, Html.plain(Labels.of(across, row.value(across)))));
    html.append(
        Html.format(
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
            family(row),
            BARS_FROM,
            middle - BAR_HEIGHT / 2,
            x(metric.median()) - BARS_FROM,
            BAR_HEIGHT));
    if (!Double.isNaN(metric.spread())) {
      html.append(
          Html.format(
              "<line class=\"interval\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\"/>",
              x(Math.max(0, metric.low())), x(metric.high()), middle));
    }
    return html.append(
            Html.format(
                "<text x=\"%.1f\" y=\"%d\">%s</text></g>%n",
                x(high(metric)) + 6, middle + 4, Html.plain(figure(row))))
        .toString();
  }

  private double x(double value) {
    return BARS_FROM + BARS_WIDTH * value / most;
  }

  private String figure(Row row) {
    String figure = Labels.withUnit(row.primary());
    boolean isCompared = !Double.isNaN(floor) && !row.isFloor();
    return isCompared
        ? figure + " = " + Labels.number(row.primary().median() / floor) + " x"
        : figure;
  }

  private static String tip(Row row) {
    return row.label() + ": " + Labels.withUnit(row.primary()) + Labels.interval(row.primary());
  }

  private static String family(Row row) {
    String contender = row.value(Row.CONTENDER);
    if (row.isFloor()) {
      return "bare";
    }
    return contender.startsWith("KAFKA") || contender.startsWith("ALLOC") ? "kafka" : "ours";
  }
}
