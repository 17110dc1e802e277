// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

class ChartsTest {
  private static final Path ROOT = Path.of("..");

  @TempDir private Path root;

  @BeforeEach
  void publish() throws Exception {
    Path results = Files.createDirectories(root.resolve("validator-bench/results"));
    Files.createDirectories(root.resolve("docs/charts"));
    String shape = " codec=lz4 records=125 valueBytes=1024";
    new JmhFile()
        .add("In.place", "contender=CORE" + shape, 40_000, 20_000)
        .add("In.place", "contender=DROP_IN" + shape, 40_000)
        .add("In.place", "contender=KAFKA_LOG_VALIDATOR" + shape, 30_000, 80_000, 90_000)
        .add("In.place", "contender=CORE codec=lz4 records=1 valueBytes=1024", 900_000)
        .write(results.resolve("quick-jdk17.json"));
    Files.writeString(results.resolve("quick-jdk17.md"), "| commit | abc1234 |\n");
  }

  @Test
  void committedChartsAreThoseOfTheCommittedResults() throws Exception {
    for (var chart : Charts.all(ROOT).entrySet()) {
      String committed = Files.readString(ROOT.resolve(chart.getKey()));
      assertEquals(chart.getValue(), committed, "run ./bench charts");
    }
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/charts"))) {
      assertEquals(
          Charts.all(ROOT).keySet(),
          files.map(each -> "docs/charts/" + each.getFileName()).collect(Collectors.toSet()));
    }
  }

  @Test
  void commandDrawsBarsAsLongAsTheirFigures() throws Exception {
    assertEquals(0, ReportCommand.run(System.out, System.err, "charts", root.toString()));
    String svg = Files.readString(root.resolve("docs/charts/speed-jdk17.svg"));
    Document document = SvgFile.parse(svg);
    List<String> texts = SvgFile.texts(document, "text");
    assertTrue(
        texts.containsAll(List.of("lz4", "drop-in jar", "Batch Validator", "0.75", "1.50")),
        texts::toString);
    assertTrue(texts.contains("JDK 17, commit abc1234"), texts::toString);
    var boxes = document.getElementsByTagName("rect");
    int last = boxes.getLength() - 1;
    assertEquals(135, width(boxes.item(last - 1)));
    assertEquals(270, width(boxes.item(last)));
  }

  private static int width(Node box) {
    return Integer.parseInt(((Element) box).getAttribute("width"));
  }

  @Test
  void textAndPaperChangeWithTheColorScheme() throws Exception {
    for (String svg : Charts.all(root).values()) {
      String dark = svg.replaceAll("(?s).*@media\\(prefers-color-scheme:dark\\)", "");
      assertTrue(dark.startsWith("{text{fill:#e6edf3}.paper{fill:#0d1117}}"), dark);
      Set<String> colors = new TreeSet<>();
      Pattern.compile(" fill='([^']+)'")
          .matcher(svg)
          .results()
          .forEach(f -> colors.add(f.group(1)));
      // The colors of bars are neither near to black nor to white.
      assertTrue(
          Set.of("#da3633", "#bf8700", "#8c959f", "#2da44e", "#2f81f7").containsAll(colors),
          colors::toString);
      assertEquals(4, colors.size());
    }
  }

  @Test
  void nothingComesFromOutside() throws Exception {
    for (String svg : Charts.all(root).values()) {
      String content = svg.replaceAll("xmlns='[^']*'", "");
      assertFalse(content.contains("http") || content.contains("@import"), content);
    }
  }
}
