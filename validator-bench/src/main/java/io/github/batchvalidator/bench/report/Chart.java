// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.KeyedObjects2D;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A table as horizontal bars, in SVG. A line marks the ratio 1. The image has a light and a dark
 * color scheme, of which the reader's browser selects one. Its description is the table.
 *
 * <p>The image is narrow, so that its text stays legible on a phone. Two images of a document stand
 * side by side on a wide screen and below each other on a narrow one.
 */
final class Chart {
  private static final int WIDTH = 400;
  private static final int HEAD_HEIGHT = 85;
  private static final int BAR_HEIGHT = 13;
  private static final int GAP_HEIGHT = 9;
  private static final Font TITLE_FONT = font(Font.BOLD, 13);
  private static final Font TEXT_FONT = font(Font.PLAIN, 12);
  private static final Font FIGURE_FONT = font(Font.PLAIN, 11);
  private static final String SVG = "http://www.w3.org/2000/svg";

  private static final Color PAPER = new Color(0xfdfdfd);
  private static final Color INK = new Color(0x1f2328);
  private static final Color GRID = new Color(0xd0d7de);

  /** The dark scheme. The colors of bars serve both schemes. */
  private static final Map<Color, String> DARK =
      Map.of(PAPER, "#0d1117", INK, "#e6edf3", GRID, "#30363d");

  private static final Color BLUE = new Color(0x2f81f7);
  private static final Color GRAY = new Color(0x8c959f);
  private static final Color OCHER = new Color(0xbf8700);
  private static final Color GREEN = new Color(0x2da44e);
  private static final Color PURPLE = new Color(0x8957e5);
  private static final Color RED = new Color(0xda3633);
  private static final List<Color> BARS = List.of(BLUE, GRAY, OCHER, GREEN, PURPLE, RED);

  /** The names of contenders for readers of a chart alone. */
  private static final Map<String, String> NAMES =
      Map.of("floor", "bare decompression", "CORE", "Batch Validator");

  /** The colors of contenders, the same in all charts. */
  private static final Map<String, Color> COLORS =
      Map.of(
          "allocating",
          RED,
          Labels.KAFKA,
          OCHER,
          "bare decompression",
          GRAY,
          "Batch Validator",
          BLUE,
          "drop-in",
          GREEN);

  private final String title;
  private final Table table;
  private final boolean isOfRatios;
  private final DefaultCategoryDataset bars = new DefaultCategoryDataset();
  private final KeyedObjects2D texts = new KeyedObjects2D();

  private Chart(String title, Table table, boolean isOfRatios) {
    this.title = title;
    this.table = table;
    this.isOfRatios = isOfRatios;
    for (List<String> row : table.rows()) {
      for (int i = 1; i < row.size(); i++) {
        String text = row.get(i).replaceFirst(" .*", "");
        String series = series(table.head().get(i));
        // A missing figure keeps the series in order, and has no bar.
        bars.addValue(
            text.equals("-") ? null : Double.valueOf(text.replaceAll("[~,]", "")),
            series,
            row.get(0));
        texts.addObject(text, series, row.get(0));
      }
    }
  }

  private static String series(String head) {
    String name = head.replace("`", "").replaceFirst(", B$", "");
    return NAMES.getOrDefault(name, name);
  }

  /**
   * Draws a table.
   *
   * @param table its first column names the bars, the others contain figures of one unit
   * @param isOfRatios true to mark the ratio 1
   * @return the text of the file
   * @throws IOException if the JDK finds no fonts
   */
  static String svg(String title, Table table, boolean isOfRatios) throws IOException {
    try {
      return new Chart(title, table, isOfRatios).svg();
    } catch (LinkageError | InternalError e) { // from the JDK's font code
      throw new IOException("a chart needs fonts; install fontconfig and a font", e);
    }
  }

  private String svg() throws IOException {
    int groupHeight = bars.getRowCount() * BAR_HEIGHT + GAP_HEIGHT;
    int height = HEAD_HEIGHT + bars.getColumnCount() * groupHeight;
    SVGGraphics2D graphics = new SVGGraphics2D(context(), false);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
    chart().draw(graphics, new Rectangle(WIDTH, height));
    Element root = graphics.getRoot();
    root.setAttribute("viewBox", "0 0 " + WIDTH + " " + height);
    prepend(root, "style", darkScheme());
    prepend(root, "desc", "\n" + table.markdown());
    prepend(root, "title", title);
    StringWriter svg = new StringWriter();
    graphics.stream(root, svg, false, false);
    return svg.toString().replaceFirst("<!DOCTYPE[^>]*>\\s*", "");
  }

  private static SVGGeneratorContext context() throws IOException {
    try {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument(SVG, "svg", null);
      SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
      context.setComment(null);
      context.setPrecision(2);
      return context;
    } catch (ParserConfigurationException e) {
      throw new IOException(e);
    }
  }

  private static void prepend(Element root, String name, String text) {
    Element child = root.getOwnerDocument().createElementNS(SVG, name);
    child.setTextContent(text);
    root.insertBefore(child, root.getFirstChild());
  }

  /** Returns style rules, which override the light colors in the attributes of the elements. */
  private static String darkScheme() {
    return DARK.entrySet().stream()
        .map(
            e ->
                String.format(
                    Locale.ROOT,
                    "[fill=\"%1$s\"]{fill:%2$s}[stroke=\"%1$s\"]{stroke:%2$s}",
                    "rgb(%d,%d,%d)"
                        .formatted(
                            e.getKey().getRed(), e.getKey().getGreen(), e.getKey().getBlue()),
                    e.getValue()))
        .sorted()
        .collect(Collectors.joining("", "@media(prefers-color-scheme:dark){", "}"));
  }

  private JFreeChart chart() {
    CategoryPlot plot = new CategoryPlot(bars, names(), scale(), renderer());
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setBackgroundPaint(null);
    plot.setOutlineVisible(false);
    plot.setRangeGridlinePaint(GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    if (isOfRatios) {
      plot.addRangeMarker(new ValueMarker(1, INK, new BasicStroke(1)));
    }
    JFreeChart chart = new JFreeChart(title, TITLE_FONT, plot, true);
    chart.setBackgroundPaint(PAPER);
    chart.getTitle().setPaint(INK);
    chart.getTitle().setPadding(8, 0, 4, 0); // without it the title is cut off
    chart.getLegend().setPosition(RectangleEdge.TOP);
    chart.getLegend().setItemPaint(INK);
    chart.getLegend().setItemFont(TEXT_FONT);
    chart.getLegend().setBackgroundPaint(null);
    chart.getLegend().setFrame(BlockBorder.NONE);
    return chart;
  }

  private static CategoryAxis names() {
    CategoryAxis axis = new CategoryAxis();
    axis.setAxisLineVisible(false);
    axis.setTickMarksVisible(false);
    axis.setTickLabelPaint(INK);
    axis.setTickLabelFont(TEXT_FONT);
    axis.setMaximumCategoryLabelWidthRatio(2);
    axis.setLowerMargin(0.01);
    axis.setUpperMargin(0.01);
    return axis;
  }

  private static NumberAxis scale() {
    NumberAxis axis = new NumberAxis();
    axis.setAxisLineVisible(false);
    axis.setTickMarksVisible(false);
    axis.setTickLabelPaint(INK);
    axis.setTickLabelFont(FIGURE_FONT);
    axis.setUpperMargin(0.25); // for the text of the longest bar
    return axis;
  }

  private BarRenderer renderer() {
    BarRenderer renderer = new BarRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(0.1);
    for (int i = 0; i < bars.getRowCount(); i++) {
      Color color = BARS.get(i % BARS.size());
      renderer.setSeriesPaint(i, COLORS.getOrDefault(String.valueOf(bars.getRowKey(i)), color));
    }
    renderer.setDefaultPositiveItemLabelPosition(
        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelPaint(INK);
    renderer.setDefaultItemLabelFont(FIGURE_FONT);
    renderer.setDefaultItemLabelGenerator(
        new StandardCategoryItemLabelGenerator() {
          @Override
          public String generateLabel(CategoryDataset dataset, int row, int column) {
            return (String) texts.getObject(row, column);
          }
        });
    return renderer;
  }

  private static Font font(int style, int size) {
    return new Font(Font.SANS_SERIF, style, size);
  }
}
