// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowTest {
  private static final String HISTOGRAM = ", \"rawDataHistogram\": [[[[30, 1], [10, 5]]]]";

  @TempDir private Path folder;

  @Test
  void readsFieldsAndFigures() throws Exception {
    Row row =
        only(new JmhFile().add("In.place", "records=125 valueBytes=1024 codec=lz4", 90, 100, 140));
    assertEquals("In", row.value("benchmark"));
    assertEquals("place", row.value("method"));
    assertEquals("125", row.value("records"));
    assertEquals("lz4", row.value("codec"));
    assertEquals(100, row.primary().median());
    assertEquals(90, row.primary().low());
    assertEquals(140, row.primary().high());
    assertEquals(2000.001, Objects.requireNonNull(row.secondary().get(Row.ALLOCATION)).median());
  }

  @Test
  void oneIterationHasNoInterval() throws Exception {
    Row row = only(new JmhFile().add("In.place", "", "ns/op", Double.NaN, 90));
    assertTrue(Double.isNaN(row.primary().low()));
    assertEquals("~90.0", row.primary().text());
  }

  @Test
  void aFileThatIsNotOfJmhIsAnError() throws Exception {
    for (String text : List.of("[]", "{}", "[{\"score\": 1}]", "[1", "")) {
      Path file = Files.writeString(folder.resolve("file.json"), text);
      assertThrows(IOException.class, () -> Row.read(file), text);
    }
  }

  @Test
  void aPublishedFileHasTheSameFiguresWithoutPaths() throws Exception {
    JmhFile raw = new JmhFile().add("In.place", "codec=lz4", 90, 100, 110);
    String text = publish(List.of(Row.tree(raw.write(folder.resolve("raw.json")))));
    assertFalse(text.contains("secret"), text);
    assertFalse(text.contains("jvmArgs"), text);
    assertFalse(text.contains("90.0\":"), text);
    assertTrue(text.contains("\"rawData\":[[90.0,100.0,110.0]]"), text);

    Path published = folder.resolve("published.json");
    Row row = Row.read(published).get(0);
    Row rawRow = Row.read(folder.resolve("raw.json")).get(0);
    assertEquals(rawRow.fields(), row.fields());
    assertEquals(rawRow.primary().median(), row.primary().median());
    assertEquals(rawRow.secondary(), row.secondary());
    assertEquals(text, publish(List.of(Row.tree(published))));
  }

  @Test
  void manyIterationsNarrowTheInterval() throws Exception {
    double[] values = IntStream.rangeClosed(1, 18).mapToDouble(i -> i).toArray();
    Metric metric = only(new JmhFile().add("In.place", "", "ns/op", 0, values)).primary();
    // That 17 or 18 of 18 lie on one side of the median happens 38 times in 2 to the 18.
    assertEquals(2, metric.low());
    assertEquals(17, metric.high());
  }

  @Test
  void derivedFiguresAreNotPublished() throws Exception {
    String file = Files.readString(new JmhFile().add("In.place", "", 9).write(folder.resolve("a")));
    String more =
        file.replace("\"plain\":", "\"plainBytes\":")
            .replace("\"gc.alloc.rate.norm\":", "\"gc.count\": {}, \"gc.alloc.rate.norm\":");
    Path raw = Files.writeString(folder.resolve("raw.json"), more);
    publish(List.of(Row.tree(raw)));
    Row row = Row.read(folder.resolve("published.json")).get(0);
    assertEquals(Set.of(Row.ALLOCATION), row.secondary().keySet());
  }

  /** Single calls are not independent, so nothing narrower than their range is known. */
  @Test
  void intervalOfSingleCallsIsTheirRange() throws Exception {
    JmhFile raw =
        new JmhFile()
            .addMetric("In.place", "", "sample", JmhFile.metric(40, 0.01, 12, "ns/op", HISTOGRAM));
    String text = publish(List.of(Row.tree(raw.write(folder.resolve("raw.json")))));
    assertFalse(text.contains("rawData"), text);
    Metric metric = Row.read(folder.resolve("published.json")).get(0).primary();
    assertEquals(12, metric.median());
    assertEquals(metric.least(), metric.low());
    assertEquals(metric.largest(), metric.high());
  }

  @Test
  void roundsOfACellBecomeOneRowWithTheIterationsOfAll() throws Exception {
    JmhFile first =
        new JmhFile().add("In.place", "codec=lz4", 100, 110, 120).add("In.place", "codec=zstd", 5);
    JmhFile second = new JmhFile().add("In.place", "codec=lz4", 300, 310, 320, 330);
    String text =
        publish(
            List.of(
                Row.tree(first.write(folder.resolve("first.json"))),
                Row.tree(second.write(folder.resolve("second.json")))));
    List<Row> rows = Row.read(folder.resolve("published.json"));
    assertEquals(List.of("lz4", "zstd"), rows.stream().map(row -> row.value("codec")).toList());
    assertEquals(300, rows.get(0).primary().median());
    assertTrue(text.contains("\"rawData\":[[100.0,110.0,120.0],[300.0,310.0,320.0,330.0]]"), text);
    assertEquals(100, rows.get(0).primary().low());
    assertEquals(
        2000.001, Objects.requireNonNull(rows.get(0).secondary().get(Row.ALLOCATION)).median());
    assertEquals(5, rows.get(1).primary().median());
  }

  /** Of published files only the primary metric has single values. */
  @Test
  void roundsWithoutSingleValuesAreRefused() throws Exception {
    JmhFile sampled =
        new JmhFile()
            .addMetric("In.place", "", "sample", JmhFile.metric(40, 0.01, 12, "ns/op", HISTOGRAM));
    JmhFile measured = new JmhFile().add("In.place", "", 100, 110);
    for (JmhFile raw : List.of(sampled, measured)) {
      String text = publish(List.of(Row.tree(raw.write(folder.resolve("raw.json")))));
      JsonNode published = Row.tree(folder.resolve("published.json"));
      assertThrows(
          IllegalArgumentException.class, () -> publish(List.of(published, published)), text);
    }
  }

  @Test
  void sheetHasTheCommitTheMachineAndAllFiguresWithoutPaths() throws Exception {
    JmhFile raw =
        new JmhFile()
            .add("In.place", "codec=lz4 contender=KAFKA", 3_000)
            .add("In.place", "codec=lz4 contender=CORE", 12_345)
            .add("In.place", "codec=zstd contender=CORE", 10);
    publish(List.of(Row.tree(raw.write(folder.resolve("raw.json")))));
    String sheet = Files.readString(folder.resolve("published.md"));
    assertTrue(sheet.startsWith("# published\n\n| | |\n|---|---|\n| CPU | "), sheet);
    assertTrue(sheet.contains("| commit | abc |"), sheet);
    assertTrue(sheet.contains("| JDK | Some VM 17.0.1+1 |"), sheet);
    assertFalse(sheet.contains("secret"), sheet);
    assertTrue(
        sheet.contains(
            """
            ## In, ns/op, medians

            | codec | KAFKA | CORE |
            | --- | --: | --: |
            | lz4 | 3,000 | 12,345 |
            | zstd | - | ~10.0 |

            ## Least times
            """),
        sheet);
    assertTrue(sheet.contains("## gc.alloc.rate.norm, B/op\n"), sheet);
  }

  private String publish(List<JsonNode> files) throws IOException {
    Path file = folder.resolve("published.json");
    Publication.write(file, Publication.pool(files), Map.of("commit", "abc"));
    return Files.readString(file);
  }

  private Row only(JmhFile file) throws IOException {
    return Row.read(file.write(folder.resolve("file.json"))).get(0);
  }
}
