// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {
  private static final Table TABLE =
      new Table(
          List.of("", "Kafka / `CORE`", "Kafka / drop-in"),
          List.of(List.of("<none>", "~1.50", "3.00"), List.of("lz4", "-", "1,500 (1 to 2)")));

  private static List<String> texts(Document svg) {
    return SvgFile.texts(svg, "text");
  }

  @Test
  void namesBarsSeriesAndFigures() throws Exception {
    Document svg = SvgFile.parse(Chart.svg("Speed & size", TABLE, true));
    List<String> texts = texts(svg);
    assertTrue(texts.containsAll(List.of("Speed & size", "Kafka / CORE", "Kafka / drop-in")));
    assertTrue(
        texts.containsAll(List.of("<none>", "lz4", "~1.50", "3.00", "1,500")), texts::toString);
    assertFalse(texts.contains("-"), "a missing figure has no bar");
  }

  @Test
  void barsAreAsLongAsTheirRatios() throws Exception {
    Table table =
        new Table(List.of("", "A"), List.of(List.of("one", "1.00"), List.of("three", "3.00")));
    NodeList boxes = SvgFile.parse(Chart.svg("t", table, true)).getElementsByTagName("rect");
    List<Double> widths =
        IntStream.range(0, boxes.getLength())
            .mapToObj(i -> ((Element) boxes.item(i)).getAttribute("width"))
            .map(Double::parseDouble)
            .filter(width -> width < 400) // not the background
            .toList();
    assertEquals(2, widths.size(), widths::toString);
    assertEquals(3.0, widths.get(1) / widths.get(0), 0.01);
  }

  /** Series of a first row without a figure are not moved to the end. */
  @Test
  void contendersHaveTheirColorsInTheOrderOfTheTable() throws Exception {
    Table table =
        new Table(
            List.of("", "Kafka", "floor", "`CORE`"),
            List.of(List.of("none", "3.00", "-", "1.00"), List.of("lz4", "4.00", "2.00", "2.50")));
    String svg = Chart.svg("Time", table, false);
    List<String> texts = texts(SvgFile.parse(svg));
    List<String> names = List.of("Kafka", "bare decompression", "Batch Validator");
    assertEquals(names, texts.stream().filter(names::contains).toList());
    assertEquals(3, count(svg, "rgb(47,129,247)"), "two bars of CORE and their legend");
    assertEquals(2, count(svg, "rgb(140,149,159)"), "one bar of the floor and its legend");
  }

  private static long count(String svg, String color) {
    return Pattern.compile("fill=\"" + Pattern.quote(color) + "\"").matcher(svg).results().count();
  }

  @Test
  void theDescriptionIsTheTable() throws Exception {
    Document svg = SvgFile.parse(Chart.svg("Speed", TABLE, true));
    assertEquals(List.of("\n" + TABLE.markdown()), SvgFile.texts(svg, "desc"));
    assertEquals(List.of("Speed"), SvgFile.texts(svg, "title"));
  }

  /** A color without a rule would stay dark on the dark background. */
  @Test
  void everyColorIsForBothSchemes() throws Exception {
    String svg = Chart.svg("Speed", TABLE, true);
    TreeSet<String> colors = new TreeSet<>();
    Pattern.compile(" (?:fill|stroke)=\"([^\"]+)\"")
        .matcher(svg.replaceFirst("<svg [^>]*>", "")) // its colors are defaults that nothing uses
        .results()
        .forEach(found -> colors.add(found.group(1)));
    colors.remove("none");
    colors.removeIf(
        color ->
            svg.contains("[fill=\"" + color + "\"]{fill:#")
                && svg.contains("[stroke=\"" + color + "\"]{stroke:#"));
    // What is left are the bars: neither near to black nor to white.
    assertEquals(List.of("rgb(140,149,159)", "rgb(47,129,247)"), List.copyOf(colors));
    assertTrue(svg.contains("@media(prefers-color-scheme:dark)"));
  }

  @Test
  void nothingComesFromOutside() throws Exception {
    String svg = Chart.svg("Speed", TABLE, true).replaceAll("xmlns(:xlink)?=\"[^\"]*\"", "");
    assertFalse(svg.contains("http") || svg.contains("@import") || svg.contains("<!DOCTYPE"), svg);
  }

  @Test
  void twoRunsGiveTheSameFile() throws Exception {
    assertEquals(Chart.svg("Speed", TABLE, true), Chart.svg("Speed", TABLE, true));
  }
}
