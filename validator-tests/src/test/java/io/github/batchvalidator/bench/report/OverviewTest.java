// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables and the chart that a run has without words. */
class OverviewTest {
  @TempDir private Path folder;

  private List<Row> rows(JmhFile file) throws Exception {
    return Row.read(file.write(folder.resolve("file.json")));
  }

  /** The number of batches follows from the shape; it neither names a line nor splits one. */
  private static JmhFile inPlace() {
    JmhFile file = new JmhFile();
    for (String shape :
        List.of("records=1 valueBytes=100 batches=512", "records=125 valueBytes=1024 batches=16")) {
      for (String codec : List.of("lz4", "none")) {
        String cell = " payload=JSON codec=" + codec + " " + shape;
        file.add("InPlaceValidation.validate", "contender=KAFKA_LOG_VALIDATOR" + cell, 3_000)
            .add("InPlaceValidation.validate", "contender=DECOMPRESS_ONLY" + cell, 1_000)
            .add("InPlaceValidation.validate", "contender=CORE" + cell, 2_000);
      }
    }
    return file;
  }

  @Test
  void tablesHaveAllRowsOfEachBenchmark() throws Exception {
    JmhFile file =
        inPlace().add("Many.append", "partitions=1", 10).add("Many.append", "partitions=1000", 20);
    assertEquals(
        """
        ## InPlaceValidation

        | | Kafka | floor | `CORE` | Kafka, B | floor, B | `CORE`, B |
        |---|--:|--:|--:|--:|--:|--:|
        | 1 x 100 B, lz4 | 3.00 | 1.00 | 2.00 | 2,000 | 2,000 | 2,000 |
        | 1 x 100 B, none | 3.00 | - | 2.00 | 2,000 | - | 2,000 |
        | 125 x 1 KiB, lz4 | 3.00 | 1.00 | 2.00 | 2,000 | 2,000 | 2,000 |
        | 125 x 1 KiB, none | 3.00 | - | 2.00 | 2,000 | - | 2,000 |

        ## Many

        | | append | append, B |
        |---|--:|--:|
        | partitions 1 | ~10.0 | 2,000 |
        | partitions 1,000 | ~20.0 | 2,000 |

        """,
        Overview.tables(rows(file)));
  }

  @Test
  void theChartHasTheRatiosToKafka() throws Exception {
    assertEquals(
        """
        | | Kafka / floor | Kafka / `CORE` |
        |---|--:|--:|
        | 1 x 100 B, lz4 | 3.00 | 1.50 |
        | 1 x 100 B, none | - | 1.50 |
        | 125 x 1 KiB, lz4 | 3.00 | 1.50 |
        | 125 x 1 KiB, none | - | 1.50 |
        """,
        Overview.ratios(rows(inPlace())).orElseThrow().markdown());
  }

  /** Each number of threads is a method of its own. */
  @Test
  void ratesAreComparedAsTimesAndThreadsNameLines() throws Exception {
    JmhFile file = new JmhFile();
    for (int threads : new int[] {1, 2}) {
      file.addHot("Hot.threads" + threads, "contender=KAFKA_LOG_VALIDATOR", threads, 5, 1_000)
          .addHot("Hot.threads" + threads, "contender=CORE", threads, 5, 4_000);
    }
    assertEquals(
        """
        | | Kafka / `CORE` |
        |---|--:|
        | threads 1 | 4.00 |
        | threads 2 | 4.00 |
        """,
        Overview.ratios(rows(file)).orElseThrow().markdown());
  }

  @Test
  void aRunWithoutKafkaHasNoChart() throws Exception {
    JmhFile file =
        new JmhFile().add("Stamp.stamp", "contender=A", 1).add("Stamp.stamp", "contender=B", 2);
    assertTrue(Overview.ratios(rows(file)).isEmpty());
    JmhFile alone = new JmhFile().add("In.place", "contender=KAFKA_LOG_VALIDATOR", 1);
    assertTrue(Overview.ratios(rows(alone)).isEmpty());
  }

  @Test
  void publishWritesResultsSheetAndChartWithoutPaths() throws Exception {
    Path raw = inPlace().write(folder.resolve("raw.json"));
    Path run = folder.resolve("run.json");
    String[] args = {"publish", run.toString(), "broker=4.3.1-test", raw.toString()};
    assertEquals(0, ReportCommand.run(System.out, System.err, args));
    String sheet = Files.readString(folder.resolve("run.md"));
    assertTrue(sheet.startsWith("# run\n\n| | |\n|---|---|\n"), sheet);
    assertTrue(sheet.contains("| JDK | Some VM 17.0.1+1 |"), sheet);
    assertTrue(sheet.contains("| broker | 4.3.1-test |"), sheet);
    assertTrue(sheet.contains("`-Xms2g -Djava.io.tmpdir=tmp -agentpath:lib.so=a,b=d`"), sheet);
    assertFalse((sheet + Files.readString(run)).contains("secret"));
    String svg = Files.readString(folder.resolve("run.svg"));
    assertTrue(SvgFile.texts(SvgFile.parse(svg), "text").contains("125 x 1 KiB, none"));

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, UTF_8);
    assertEquals(0, ReportCommand.run(stream, stream, "show", run.toString()));
    assertEquals(Overview.tables(Row.read(run)), out.toString(UTF_8));
  }
}
