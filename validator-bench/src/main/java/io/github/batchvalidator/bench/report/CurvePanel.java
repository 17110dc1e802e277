// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/** Curves of one quantity along a field that is a number, one for each series. */
final class CurvePanel {
  private static final int WIDTH = 360;
  private static final int HEIGHT = 220;
  private static final int LEFT = 54;
  private static final int RIGHT = 24;
  private static final int TOP = 24;
  private static final int BOTTOM = 40;
  private static final int COLOURS = 6;
  private static final int Y_TICKS = 4;
  private static final int LEAST_TICK_PIXELS = 34;

  private final Map<String, SortedMap<Double, Metric>> series;
  private final Scale x;
  private final Scale y;

  /**
   * Takes curves.
   *
   * @param series the points of each curve by its name; at least one point
   */
  CurvePanel(Map<String, SortedMap<Double, Metric>> series) {
    this.series = series;
    double[] xs =
        series.values().stream()
            .flatMap(points -> points.keySet().stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    double[] ys =
        series.values().stream()
            .flatMap(points -> points.values().stream())
            .mapToDouble(Metric::median)
            .toArray();
    x = Scale.along(xs, LEFT, WIDTH - RIGHT);
    y = Scale.up(ys, HEIGHT - BOTTOM, TOP);
  }

  /** Returns a figure with its caption and a legend. */
  String html(String caption, String axis, String unit) {
    StringBuilder html = new StringBuilder("<figure class=\"panel\">");
    html.append(Html.caption(caption));
    html.append(
        Html.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH, HEIGHT, Html.plain((caption + " " + unit + " by " + axis).strip())));
    appendAxes(html, axis, unit);
    List<String> names = List.copyOf(series.keySet());
    for (String name : names) {
      appendCurve(html, name, colour(names, name));
    }
    html.append("</svg>\n");
    if (names.size() > 1) {
      html.append("<ul class=\"legend\">");
      for (String name : names) {
        html.append(
            Html.format(
                "<li><svg class=\"key s%d\" viewBox=\"0 0 28 8\" aria-hidden=\"true\">"
                    + "<line x1=\"0\" y1=\"4\" x2=\"28\" y2=\"4\"/></svg>%s</li>",
                colour(names, name), Html.text(name)));
      }
      html.append("</ul>");
    }
    return html.append("</figure>\n").toString();
  }

  /** Kafka has a colour of its own, as in the bars. */
  private static int colour(List<String> names, String name) {
    if (name.equals(Labels.KAFKA)) {
      return 0;
    }
    List<String> others = names.stream().filter(each -> !each.equals(Labels.KAFKA)).toList();
    return 1 + others.indexOf(name) % (COLOURS - 1);
  }

  private void appendAxes(StringBuilder html, String axis, String unit) {
    for (double tick : y.ticks(Y_TICKS)) {
      html.append(
          Html.format(
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%3$.1f\" y2=\"%3$.1f\"/>"
                  + "<text class=\"name\" x=\"%4$d\" y=\"%5$.1f\">%6$s</text>%n",
              LEFT, WIDTH - RIGHT, y.at(tick), LEFT - 6, y.at(tick) + 4, Labels.brief(tick)));
    }
    double last = Double.NEGATIVE_INFINITY;
    for (double tick : points()) {
      if (x.at(tick) - last >= LEAST_TICK_PIXELS) {
        last = x.at(tick);
        html.append(
            Html.format(
                "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%s</text>%n",
                last, HEIGHT - BOTTOM + 16, Labels.onAxis(axis, tick)));
      }
    }
    html.append(
        Html.format(
            "<text class=\"tick\" x=\"%d\" y=\"%d\">%s</text><text x=\"4\" y=\"12\">%s</text>%n",
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 6,
            Html.plain(axis + x.note()),
            Html.plain(unit + y.note())));
  }

  private List<Double> points() {
    return series.values().stream()
        .flatMap(points -> points.keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private void appendCurve(StringBuilder html, String name, int colour) {
    SortedMap<Double, Metric> points = Objects.requireNonNull(series.get(name));
    html.append(Html.format("<g class=\"s%d\"><polyline points=\"", colour));
    points.forEach(
        (at, metric) -> html.append(Html.format("%.1f,%.1f ", x.at(at), y.at(metric.median()))));
    html.append("\"/>");
    points.forEach(
        (at, metric) ->
            html.append(
                Html.format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s, %s: %s%s</title></circle>",
                    x.at(at),
                    y.at(metric.median()),
                    Html.plain(name),
                    Labels.brief(at),
                    Html.plain(Labels.withUnit(metric)),
                    Labels.interval(metric))));
    html.append("</g>\n");
  }
}
