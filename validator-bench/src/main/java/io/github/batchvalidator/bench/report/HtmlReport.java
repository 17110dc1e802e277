// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run as one page that needs no network, script or font: bars beside the floor, curves, bytes per
 * call, every figure, the machine. Well-formed XML.
 */
public final class HtmlReport {
  /** Payload and memory that the bars show; the tables have all of them. */
  private static final Map<String, String> SHOWN = Map.of("payload", "JSON", "memory", "HEAP");

  /** Tables of more rows are to be opened. */
  private static final int MANY = 60;

  private final String name;
  private final List<Row> rows;
  private final MachineSheet sheet;

  /**
   * Takes a run.
   *
   * @param name title of the page
   * @param rows what was measured
   * @param sheet on what
   */
  public HtmlReport(String name, List<Row> rows, MachineSheet sheet) {
    this.name = name;
    this.rows = rows;
    this.sheet = sheet;
  }

  /**
   * Returns the page.
   *
   * @throws IOException if the style sheet cannot be read
   */
  public String html() throws IOException {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <p>Medians; of times and bytes less is better, of what is done per second more. The thin line on a
        bar is the interval of the median. %sEach panel has its own scale. How to read all of it, and what is not claimed, is told in
        <code>docs/benchmarks.md</code>.</p>
        """
            .formatted(floor()));
    for (RowGroup group : RowGroup.byBenchmark(rows)) {
      html.append("<section>\n<h2>").append(Html.text(group.benchmark())).append("</h2>\n");
      html.append(means(group)).append(pairs(group));
      html.append(group.axis() == null ? bars(group) : curves(group));
      html.append(allocation(group)).append("</section>\n");
    }
    html.append("<section>\n<h2>Every figure</h2>\n");
    RowGroup.byBenchmark(rows).forEach(group -> html.append(everything(group)));
    html.append("</section>\n<section class=\"sheet\">\n<h2>Machine</h2>\n")
        .append(Html.table(sheet.table()))
        .append("</section>\n");
    return Html.page(name, html.toString());
  }

  private String floor() {
    return rows.stream().noneMatch(Row::isFloor)
        ? ""
        : """
        The dashed line is the floor, bare decompression by the same library, and (1.05 x) is so many
        times the floor.
        """;
  }

  /** The geometric means that the targets are about, where both sides are there. */
  private static String means(RowGroup all) {
    RowGroup group = shown(all);
    List<String> contenders = List.copyOf(group.values(Row.CONTENDER));
    List<String> ratios = new ArrayList<>();
    for (String pair :
        List.of(
            "KAFKA_LOG_VALIDATOR/CORE",
            "ALLOCATING_BASELINE/CORE",
            "CORE/DECOMPRESS_ONLY",
            "CORE/TRANSCODE_ONLY")) {
      if (contenders.containsAll(List.of(pair.split("/", 2)))) {
        ratios.add(pair);
      }
    }
    String panel = panelField(group);
    boolean areAlike = group.values("fault").size() == 1;
    if (ratios.isEmpty() || panel == null || group.axis() != null || !areAlike) {
      return "";
    }
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("rows", panel);
    asked.put("means", String.join(",", ratios));
    return "<p>Ratios of times: geometric mean (least to largest)."
        + leftOut(group, all)
        + "</p>\n"
        + Html.table(Pivot.of(group.rows(), asked));
  }

  /** Says what is not shown, which may look otherwise. */
  private static String leftOut(RowGroup shown, RowGroup all) {
    if (shown.rows().size() == all.rows().size()) {
      return "";
    }
    String which =
        SHOWN.keySet().stream()
            .filter(field -> all.values(field).size() > 1)
            .map(field -> field + " " + SHOWN.get(field))
            .sorted(Comparator.reverseOrder())
            .collect(Collectors.joining(", "));
    return " Only %s: %d of %d rows; the others are under <em>Every figure</em>."
        .formatted(Html.text(which), shown.rows().size(), all.rows().size());
  }

  /** What brokers that took turns have to say to each other. */
  private static String pairs(RowGroup group) {
    StringBuilder html = new StringBuilder();
    for (String contender : PairTable.contenders(group.rows())) {
      Map<String, String> asked = new LinkedHashMap<>();
      asked.put("pairs", contender);
      asked.put("rows", String.join(",", PairTable.FIELDS));
      html.append(heading(Labels.of(Row.CONTENDER, contender)));
      html.append(
          "<p>Beside a stock broker. Each ratio is the median of the turns (least to largest); if 1"
              + " lies in between, no difference is told from noise. Two turns lie on one side of it"
              + " by chance half the time, four in one case of eight.</p>\n");
      html.append(Html.table(PairTable.of(group.rows(), asked)));
    }
    return html.toString();
  }

  private static RowGroup shown(RowGroup all) {
    RowGroup group = all;
    for (var shown : SHOWN.entrySet()) {
      group = group.preferring(shown.getKey(), shown.getValue());
    }
    return group;
  }

  private static @Nullable String panelField(RowGroup group) {
    for (String field : List.of("codec", "codecs")) {
      if (!group.rows().get(0).value(field).isEmpty()) {
        return field;
      }
    }
    return null;
  }

  private static String bars(RowGroup all) {
    RowGroup group = shown(all);
    String across = group.across();
    String panel = panelField(group);
    List<String> others = group.varyingBut(across, panel);
    StringBuilder html = new StringBuilder();
    if (group.rows().size() < all.rows().size()) {
      html.append("<p>Bars:").append(leftOut(group, all)).append("</p>\n");
    }
    group
        .by(row -> RowGroup.name(row, others))
        .forEach(
            (title, figure) -> {
              html.append(heading(title)).append("<div class=\"panels\">\n");
              figure
                  .by(row -> panel == null ? "" : row.value(panel))
                  .forEach(
                      (name, each) -> html.append(new BarPanel(each.rows(), across).html(name)));
              html.append("</div>\n");
            });
    return html.toString();
  }

  /** One panel per codec, of each quantity but the profilers'. */
  private static String curves(RowGroup group) {
    String axis = Objects.requireNonNull(group.axis());
    String panel = panelField(group);
    List<String> others = group.varyingBut(axis, panel, group.across());
    StringBuilder html = new StringBuilder();
    for (String quantity : quantities(group)) {
      group
          .by(row -> RowGroup.name(row, others))
          .forEach(
              (title, each) -> {
                html.append(heading(quantity, title)).append("<div class=\"panels\">\n");
                each.by(row -> panel == null ? "" : row.value(panel))
                    .forEach((name, rows) -> html.append(curves(rows, axis, quantity, name)));
                html.append("</div>\n");
              });
    }
    return html.toString();
  }

  private static String heading(String... words) {
    String text =
        Arrays.stream(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(", "));
    return text.isEmpty() ? "" : "<h3>" + Html.text(text) + "</h3>\n";
  }

  private static List<String> shapeFirst(List<String> fields) {
    return fields.stream().sorted(Comparator.comparing(each -> !each.equals("shape"))).toList();
  }

  /** Tells whether a quantity is the benchmark's and not a profiler's. */
  private static boolean isOwn(String quantity) {
    return !quantity.startsWith("gc.");
  }

  private static List<String> quantities(RowGroup group) {
    return group.rows().stream()
        .flatMap(row -> row.secondary().keySet().stream())
        .filter(HtmlReport::isOwn)
        .distinct()
        .sorted()
        .collect(Collectors.toCollection(() -> new ArrayList<>(List.of(""))));
  }

  private static String curves(RowGroup group, String axis, String quantity, String caption) {
    String across = group.across();
    Map<String, SortedMap<Double, Metric>> series = new LinkedHashMap<>();
    String unit = "";
    for (Row row : group.rows()) {
      Metric metric = row.metric(quantity);
      if (metric != null) {
        unit = metric.unit();
        series
            .computeIfAbsent(Labels.of(across, row.value(across)), any -> new TreeMap<>())
            .put(Double.parseDouble(row.value(axis)), metric);
      }
    }
    return series.isEmpty() ? "" : new CurvePanel(series).html(caption, axis, unit);
  }

  private static String allocation(RowGroup group) {
    if (group.rows().stream().noneMatch(row -> row.secondary().containsKey(Row.ALLOCATION))) {
      return "";
    }
    String across = group.across();
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("rows", String.join(",", shapeFirst(group.varyingBut(across))));
    asked.put("across", across);
    asked.put("metric", Row.ALLOCATION);
    String table = Html.table(Pivot.of(group.rows(), asked));
    String title = "Bytes allocated per call";
    return group.rows().size() > MANY
        ? Html.folded(title, table)
        : "<h3>" + title + "</h3>\n" + table;
  }

  private static String everything(RowGroup group) {
    List<String> fields = group.varying();
    Row first = group.rows().get(0);
    String others =
        first.fields().entrySet().stream()
            .filter(each -> !fields.contains(each.getKey()))
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
    List<List<String>> lines = new ArrayList<>();
    for (Row row : group.rows()) {
      Metric bytes = row.metric(Row.ALLOCATION);
      String besides =
          row.secondary().entrySet().stream()
              .filter(each -> isOwn(each.getKey()))
              .map(each -> each.getKey() + " " + Labels.withUnit(each.getValue()))
              .collect(Collectors.joining(", "));
      lines.add(
          List.of(
              RowGroup.name(row, fields),
              Labels.withUnit(row.primary()),
              Labels.interval(row.primary()),
              bytes == null ? "-" : Labels.bytes(bytes),
              besides));
    }
    Table table = new Table(List.of("", "median", "interval", "B per call", "besides"), lines);
    return Html.folded(
        group.benchmark() + ": " + lines.size() + " rows",
        "<p>" + Html.text(others) + "</p>\n" + Html.table(table));
  }
}
