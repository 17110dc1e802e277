// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairTableTest {
  @TempDir private Path folder;

  private static String metric(double median, double least, double largest, String unit) {
    return """
        {"score": %1$s, "scoreError": "NaN", "scoreUnit": "%4$s",
         "scorePercentiles": {"0.0": %2$s, "50.0": %1$s, "100.0": %3$s},
         "rawData": [[%2$s, %1$s, %3$s]]}
        """
        .formatted(median, least, largest, unit);
  }

  private static String row(String contender, String codec, double cpu, String secondary) {
    return """
        {"benchmark": "a.LiveBroker.produce", "mode": "avgt", "threads": 1, "forks": 2,
         "vmName": "Some VM", "vmVersion": "17", "jvmArgs": ["-Xmx1g"],
         "params": {"contender": "%s", "codec": "%s", "batch": "16KiB/0ms"},
         "primaryMetric": %s, "secondaryMetrics": {%s}}
        """
        .formatted(contender, codec, metric(cpu, cpu, cpu, "s/GB"), secondary);
  }

  private List<Row> rows(String... rows) throws Exception {
    return Row.read(
        Files.writeString(folder.resolve("run.json"), "[" + String.join(",", rows) + "]"));
  }

  private static String kafka(String codec) {
    return row(
        "KAFKA",
        codec,
        16.2,
        "\"allocated\": "
            + metric(4_500, 4_400, 4_600, "B/record")
            + ", \"cpuShare\": "
            + metric(33.3, 33.3, 33.3, "%")
            + ", \"allocatedShare\": "
            + metric(50, 50, 50, "%")
            + ", \"rate\": "
            + metric(10_000, 1, 1, "records/s"));
  }

  private static String ours(String codec) {
    return row(
        "DROP_IN",
        codec,
        15.8,
        "\"cpuRatio\": "
            + metric(0.97, 0.91, 1.04, "x")
            + ", \"allocated\": "
            + metric(760, 760, 760, "B/record")
            + ", \"validatorCpu\": "
            + metric(1.25, 1.2, 1.3, "s/GB")
            + ", \"validatorCpuRatio\": "
            + metric(0.8, 0.75, 0.85, "x")
            + ", \"cpuShare\": "
            + metric(31.25, 31, 32, "%"));
  }

  @Test
  void tellsTheMedianOfTheRatiosAndItsEnds() throws Exception {
    Table table =
        PairTable.of(
            rows(kafka("lz4"), ours("lz4")), Words.parse("pairs=DROP_IN rows=codec,batch"));
    assertEquals(
        List.of(
            List.of(
                "lz4, 16KiB/0ms",
                "16.2 / 15.8",
                "~0.970 (0.910 to 1.040)",
                "-",
                "4,500 / 760",
                "-",
                "- / 1.25",
                "0.800 (0.750 to 0.850)",
                "33.3 % / 31.3 %",
                "50.0 % / -",
                "- / -",
                "- / -",
                "- / -",
                "10,000 / -",
                "- / -")),
        table.rows());
    assertEquals(table.head().size(), table.rows().get(0).size());
  }

  /** Turns that all lie on one side of 1 have no mark. */
  @Test
  void ratiosOfTurnsThatAgreeHaveNoMark() throws Exception {
    String lower =
        ours("lz4").replace(metric(0.97, 0.91, 1.04, "x"), metric(0.97, 0.91, 0.99, "x"));
    Table table = PairTable.of(rows(kafka("lz4"), lower), Words.parse("pairs=DROP_IN rows=codec"));
    assertEquals("0.970 (0.910 to 0.990)", table.rows().get(0).get(2));
  }

  @Test
  void aContenderWithoutAStockBrokerBesideItIsAnError() throws Exception {
    List<Row> rows = rows(kafka("zstd"), ours("lz4"));
    Words asked = Words.parse("pairs=DROP_IN rows=codec");
    assertThrows(IllegalArgumentException.class, () -> PairTable.of(rows, asked));
  }

  @Test
  void twoCellsForALineAreAnError() throws Exception {
    List<Row> rows = rows(kafka("lz4"), ours("lz4"), kafka("zstd"), ours("zstd"));
    Words asked = Words.parse("pairs=DROP_IN rows=batch");
    assertThrows(IllegalArgumentException.class, () -> PairTable.of(rows, asked));
  }

  @Test
  void documentsAskForItByName() throws Exception {
    Path results = Files.createDirectories(folder.resolve("validator-bench/results"));
    Files.writeString(results.resolve("b.json"), "[" + kafka("lz4") + "," + ours("lz4") + "]");
    String mark = "<!-- table b.json pairs=DROP_IN rows=codec -->\n";
    String text = new Documents(folder).updated(mark + "<!-- /table -->\n");
    assertTrue(text.contains("| lz4 | 16.2 / 15.8 | ~0.970 (0.910 to 1.040) |"), text);
  }

  @Test
  void thePublishedSheetHasNothingOfJmhAndTheChartHasTheRatios() throws Exception {
    JsonNode tree = new ObjectMapper().readTree("[" + kafka("lz4") + "," + ours("lz4") + "]");
    Path file = folder.resolve("live.json");
    ReportCommand.publish(
        file,
        StreamSupport.stream(tree.spliterator(), false).toList(),
        Map.of("load", "some producers"));
    assertEquals(Row.read(file), rows(kafka("lz4"), ours("lz4")));
    String sheet = Files.readString(folder.resolve("live.md"));
    assertTrue(sheet.contains("| load | some producers |"), sheet);
    assertTrue(sheet.contains("| flags | `-Xmx1g` |"), sheet);
    assertTrue(!sheet.contains("JMH"), sheet);
    assertTrue(
        Overview.tables(Row.read(file))
            .contains("Stock broker / drop-in:\n\n| | CPU, s/GB | ratio |"));
    String svg = Files.readString(folder.resolve("live.svg"));
    assertTrue(SvgFile.texts(SvgFile.parse(svg), "text").contains("~0.97"), svg);
  }
}
