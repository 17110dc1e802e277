// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two charts of the README as horizontal bars in SVG, drawn from the published quick run on JDK
 * 17. The images have a light and a dark color scheme, of which the reader's browser selects one.
 * They are narrow, so that their text stays legible on a phone.
 */
final class Charts {
  private static final String RUN = "validator-bench/results/quick-jdk17";
  private static final Pattern COMMIT = Pattern.compile("\\| commit \\| (\\S+)");
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  private static final int WIDTH = 400;
  private static final int HEAD_HEIGHT = 72;
  private static final int FOOT_HEIGHT = 20;
  private static final int BAR_HEIGHT = 13;
  private static final int GAP_HEIGHT = 9;
  private static final int LABEL_WIDTH = 56;
  private static final int LONGEST_BAR = 270;

  /** A contender, its name for readers, and the color of its bars. */
  private record Series(String contender, String name, String color) {}

  private static final String BASE = "KAFKA_LOG_VALIDATOR";
  private static final Series ALLOCATING =
      new Series("ALLOCATING_BASELINE", "allocating", "#da3633");
  private static final Series KAFKA = new Series(BASE, "Kafka", "#bf8700");
  private static final Series FLOOR =
      new Series("DECOMPRESS_ONLY", "bare decompression", "#8c959f");
  private static final Series DROP_IN = new Series("DROP_IN", "drop-in jar", "#2da44e");
  private static final Series CORE = new Series("CORE", "Batch Validator", "#2f81f7");

  private static final String STYLE =
      "text{font:12px sans-serif;fill:#1f2328}.paper{fill:#fdfdfd}.title{font:bold 13px sans-serif}"
          + ".figure,.foot{font-size:11px}@media(prefers-color-scheme:dark)"
          + "{text{fill:#e6edf3}.paper{fill:#0d1117}}";

  private final Map<String, Row> rows = new TreeMap<>();
  private final String commit;

  private Charts(Path root) throws IOException {
    for (Row row : Row.read(root.resolve(RUN + ".json"))) {
      if (row.value("records").equals("125")) {
        rows.put(row.value("codec") + row.value(Row.CONTENDER), row);
      }
    }
    Matcher sheet = COMMIT.matcher(Files.readString(root.resolve(RUN + ".md")));
    if (!sheet.find()) {
      throw new IOException(RUN + ".md names no commit");
    }
    commit = sheet.group(1);
  }

  /**
   * Draws both charts.
   *
   * @param root the folder of the repository
   * @throws IOException if the results cannot be read or a chart cannot be written
   */
  static void draw(Path root) throws IOException {
    for (Map.Entry<String, String> chart : all(root).entrySet()) {
      Files.writeString(root.resolve(chart.getKey()), chart.getValue());
    }
  }

  /** Returns the text of both charts by their paths. */
  static Map<String, String> all(Path root) throws IOException {
    Charts charts = new Charts(root);
    return Map.of(
        "docs/charts/speed-jdk17.svg",
        charts.svg(
            "Times as fast as Kafka's validator",
            List.of(ALLOCATING, FLOOR, DROP_IN, CORE),
            charts::speed,
            "%.2f"),
        "docs/charts/bytes-jdk17.svg",
        charts.svg(
            "Allocated per batch, bytes",
            List.of(ALLOCATING, KAFKA, DROP_IN, CORE),
            Charts::bytes,
            "%,.0f"));
  }

  /** Returns how many times as fast as Kafka a row is, by the least times of both. */
  private OptionalDouble speed(Row row) {
    Row kafka = rows.get(row.value("codec") + BASE);
    return kafka == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(kafka.primary().least() / row.primary().least());
  }

  private static OptionalDouble bytes(Row row) {
    Metric metric = row.secondary().get(Row.ALLOCATION);
    return metric == null ? OptionalDouble.empty() : OptionalDouble.of(metric.median());
  }

  private String svg(
      String title, List<Series> all, Function<Row, OptionalDouble> figure, String format) {
    double largest =
        all.stream()
            .flatMap(series -> CODECS.stream().map(codec -> rows.get(codec + series.contender())))
            .filter(Objects::nonNull)
            .mapToDouble(row -> figure.apply(row).orElse(0))
            .max()
            .orElseThrow();
    StringBuilder bars = new StringBuilder();
    StringBuilder table = new StringBuilder();
    int y = HEAD_HEIGHT;
    for (String codec : CODECS) {
      append(bars, "<text x='4' y='%d'>%s</text>", y + 2 * BAR_HEIGHT + 4, codec);
      for (Series series : all) {
        Row row = rows.get(codec + series.contender());
        OptionalDouble value = row == null ? OptionalDouble.empty() : figure.apply(row);
        if (value.isPresent()) {
          int length = (int) Math.round(LONGEST_BAR * value.getAsDouble() / largest);
          String text = String.format(Locale.ROOT, format, value.getAsDouble());
          append(
              bars,
              "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>",
              LABEL_WIDTH,
              y,
              length,
              BAR_HEIGHT - 1,
              series.color());
          append(
              bars,
              "<text class='figure' x='%d' y='%d'>%s</text>",
              LABEL_WIDTH + length + 4,
              y + BAR_HEIGHT - 3,
              text);
          append(table, "%s, %s: %s", codec, series.name(), text);
        }
        y += BAR_HEIGHT;
      }
      y += GAP_HEIGHT;
    }
    int height = y + FOOT_HEIGHT;
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%1$d' height='%2$d' viewBox='0 0 %1$d %2$d'>",
        WIDTH,
        height);
    append(svg, "<title>%s</title>", title);
    append(svg, "<desc>\n%s</desc>", table);
    append(svg, "<style>%s</style>", STYLE);
    append(svg, "<rect class='paper' width='%d' height='%d'/>", WIDTH, height);
    append(svg, "<text class='title' x='4' y='20'>%s</text>", title);
    appendLegend(svg, all);
    svg.append(bars);
    append(svg, "<text class='foot' x='4' y='%d'>JDK 17, commit %s</text>", height - 8, commit);
    return svg.append("</svg>\n").toString();
  }

  private static void appendLegend(StringBuilder svg, List<Series> all) {
    for (int i = 0; i < all.size(); i++) {
      int x = 4 + i / 2 * (WIDTH / 2);
      int y = 34 + i % 2 * 16;
      append(
          svg, "<rect x='%d' y='%d' width='10' height='10' fill='%s'/>", x, y, all.get(i).color());
      append(svg, "<text x='%d' y='%d'>%s</text>", x + 15, y + 9, all.get(i).name());
    }
  }

  private static void append(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
