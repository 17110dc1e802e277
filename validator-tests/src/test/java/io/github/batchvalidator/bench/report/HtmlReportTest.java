// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {
  private static final String SHAPE = " records=125 valueBytes=1024 payload=JSON memory=HEAP";

  @TempDir private Path folder;

  @Test
  void showsBarsBesideTheFloor() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("InPlaceValidation.validate", "codec=lz4 contender=CORE" + SHAPE, 21_000)
            .add(
                "InPlaceValidation.validate", "codec=lz4 contender=DECOMPRESS_ONLY" + SHAPE, 20_000)
            .add(
                "InPlaceValidation.validate",
                "codec=lz4 contender=KAFKA_LOG_VALIDATOR" + SHAPE,
                30_000)
            .add("InPlaceValidation.validate", "codec=zstd contender=CORE" + SHAPE, 40_000);
    Document page = page(file);
    assertEquals(List.of("lz4", "zstd"), texts(page, "figcaption"));
    assertTrue(texts(page, "p").get(0).contains("dashed line is the floor"));
    assertEquals(4, page.getElementsByTagName("rect").getLength());
    List<String> words = texts(page, "text");
    assertTrue(
        words.containsAll(List.of("Kafka", "floor", "21.0 us (1.05 x)", "30.0 us (1.50 x)")));
    assertTrue(texts(page, "td").contains("1.43 (1.43 to 1.43)"), "mean of Kafka / CORE");
    assertTrue(texts(page, "h3").contains("Bytes allocated per call"));
    assertTrue(texts(page, "td").contains("2,000"));
  }

  @Test
  void showsCurvesAlongNumbers() throws Exception {
    JmhFile file = new JmhFile();
    for (String threads : List.of("1", "2", "4", "8")) {
      for (String contender : List.of("CORE", "KAFKA_LOG_VALIDATOR")) {
        file.add(
            "HotPartition.threads" + threads,
            "appenders=" + threads + " contender=" + contender,
            1_000);
      }
    }
    Document page = page(file);
    assertFalse(texts(page, "p").get(0).contains("floor"), "nobody is one");
    assertEquals(4, page.getElementsByTagName("polyline").getLength(), "times and MB/s of both");
    assertEquals(16, page.getElementsByTagName("circle").getLength());
    assertTrue(
        texts(page, "text")
            .containsAll(List.of("1", "2", "4", "8", "appenders (logarithmic)", "ns/op")));
    assertTrue(texts(page, "h3").contains("plain"));
  }

  /** Their number follows from the shape, and so they are no axis, whatever it is. */
  @Test
  void batchesThatTakeTurnsAreNoCurve() throws Exception {
    JmhFile file = new JmhFile();
    for (String shape :
        List.of(
            "records=1 valueBytes=100 batches=512",
            "records=10 valueBytes=1024 batches=51",
            "records=125 valueBytes=100 batches=41",
            "records=125 valueBytes=1024 batches=16")) {
      for (String contender : List.of("CORE", "DECOMPRESS_ONLY", "KAFKA_LOG_VALIDATOR")) {
        file.add("InPlaceValidation.validate", "codec=lz4 contender=" + contender + " " + shape, 9);
      }
    }
    Document page = page(file);
    assertEquals(0, page.getElementsByTagName("polyline").getLength());
    assertEquals(12, page.getElementsByTagName("rect").getLength());
    assertTrue(texts(page, "h3").containsAll(List.of("1 x 100 B", "125 x 1 KiB")));
    assertTrue(texts(page, "td").contains("1.00 (1.00 to 1.00)"), "means");
  }

  /** Of producers and partitions there are three numbers each, but of no cell. */
  @Test
  void numbersOfWhichEachCellHasOneAreNoCurve() throws Exception {
    JmhFile file = new JmhFile();
    for (String cell : List.of("lz4 producers=1", "zstd producers=4", "gzip producers=8")) {
      for (String contender : List.of("CORE", "KAFKA_LOG_VALIDATOR")) {
        file.add("LiveBroker.produce", "contender=" + contender + " codec=" + cell, 9);
      }
    }
    Document page = page(file);
    assertEquals(0, page.getElementsByTagName("polyline").getLength());
    assertEquals(6, page.getElementsByTagName("rect").getLength());
  }

  /** Three of seven cells could be one: it would tell nothing of the others. */
  @Test
  void aFewNumbersOfOneCellAreNoCurve() throws Exception {
    JmhFile file = new JmhFile();
    for (String codec : List.of("lz4", "zstd", "gzip", "snappy", "none")) {
      for (String producers : codec.equals("lz4") ? List.of("1", "4", "8") : List.of("4")) {
        String cell = " codec=" + codec + " producers=" + producers;
        file.add("LiveBroker.produce", "contender=CORE" + cell, 9);
      }
    }
    Document page = page(file);
    assertEquals(0, page.getElementsByTagName("polyline").getLength());
    assertEquals(7, page.getElementsByTagName("rect").getLength());
  }

  /** A page that shows one payload says so, and how much it leaves out. */
  @Test
  void whatIsNotShownIsTold() throws Exception {
    JmhFile file = new JmhFile();
    for (String cell : List.of("memory=HEAP", "memory=DIRECT")) {
      for (String contender : List.of("CORE", "KAFKA_LOG_VALIDATOR")) {
        file.add(
            "InPlaceValidation.validate",
            "codec=lz4 payload=JSON contender=" + contender + " " + cell,
            9);
      }
    }
    List<String> said = texts(page(file), "p");
    String which = " Only memory HEAP: 2 of 4 rows; the others are under Every figure.";
    assertEquals(2, said.stream().filter(each -> each.endsWith(which)).count(), said::toString);
  }

  /** What is done per second is compared the other way round: it is times that a page tells. */
  @Test
  void ratiosOfRatesAreThoseOfTimes() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("Hot.append", "codec=lz4 contender=CORE", "ops/s", 10, 4_000)
            .add("Hot.append", "codec=lz4 contender=KAFKA_LOG_VALIDATOR", "ops/s", 10, 1_000);
    assertTrue(texts(page(file), "td").contains("4.00 (4.00 to 4.00)"));
  }

  /** A bomb beside a sound batch: a mean of both is one of nothing. */
  @Test
  void faultsAreNotAveraged() throws Exception {
    JmhFile file = new JmhFile();
    for (String fault : List.of("NOTHING", "BOMB")) {
      for (String contender : List.of("CORE", "KAFKA_LOG_VALIDATOR")) {
        String params = "codec=lz4 fault=" + fault + " contender=" + contender;
        file.add("RejectedBatch.reject", params, 9);
      }
    }
    assertFalse(texts(page(file), "td").contains("1.00 (1.00 to 1.00)"));
  }

  @Test
  void aShapeMayBeAName() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("RecordWalk.walk", "shape=PLAIN contender=CORE", 9)
            .add("RecordWalk.walk", "shape=KEYED contender=CORE", 14);
    assertTrue(texts(page(file), "h3").containsAll(List.of("PLAIN", "KEYED")));
  }

  @Test
  void hasEveryRowTheMachineAndNothingFromOutside() throws Exception {
    JmhFile file = new JmhFile();
    for (int i = 0; i < 100; i++) {
      file.add("RejectedBatch.reject", "fault=<&>" + i, 1_000 + 10 * i);
    }
    String html = html(file);
    List<String> cells = texts(parse(html), "td");
    for (int i = 0; i < 100; i++) {
      assertTrue(cells.contains("<&>" + i), "row " + i);
      assertTrue(cells.contains("1.%02d us".formatted(i)), "time of row " + i);
    }
    assertTrue(cells.contains("Some VM 17.0.1+1"));
    assertTrue(cells.contains("4.3.1-test"), "a note");
    assertFalse(html.contains("secret"));
    assertFalse(html.replace("http://www.w3.org/1999/xhtml", "").contains("http"));
    assertFalse(html.contains("<script") || html.contains("<link") || html.contains("@import"));
    assertFalse(html.contains("url("));
  }

  private Document page(JmhFile file) throws Exception {
    return parse(html(file));
  }

  private String html(JmhFile file) throws Exception {
    Path raw = file.write(folder.resolve("raw.json"));
    Path run = folder.resolve("run.json");
    String[] args = {"publish", run.toString(), "broker=4.3.1-test", raw.toString()};
    assertEquals(0, ReportCommand.run(System.out, System.err, args));
    return Files.readString(folder.resolve("run.html"));
  }

  private static Document parse(String html) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(html)));
  }

  private static List<String> texts(Document page, String tag) {
    NodeList nodes = page.getElementsByTagName(tag);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }
}
