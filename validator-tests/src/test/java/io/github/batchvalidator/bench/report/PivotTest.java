// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PivotTest {
  @TempDir private Path folder;

  @Test
  void makesColumnsRatiosAndBytes() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("In.place", "codec=lz4 contender=KAFKA_LOG_VALIDATOR", 30_000)
            .add("In.place", "codec=lz4 contender=DECOMPRESS_ONLY", 15_000)
            .add("In.place", "codec=lz4 contender=CORE", "us/op", 2, 20)
            .add("In.place", "codec=none contender=KAFKA_LOG_VALIDATOR", 4_500)
            .add("In.place", "codec=none contender=DECOMPRESS_ONLY", 9_000);
    Table table =
        Pivot.of(
            rows(file),
            Words.parse(
                "rows=codec columns=KAFKA_LOG_VALIDATOR,DECOMPRESS_ONLY,CORE"
                    + " ratios=KAFKA_LOG_VALIDATOR/CORE,CORE/DECOMPRESS_ONLY bytes=CORE unit=us"));
    assertEquals(
        """
        | | Kafka | floor | `CORE` | Kafka / `CORE` | `CORE` / floor | `CORE`, B |
        |---|--:|--:|--:|--:|--:|--:|
        | lz4 | 30.0 | 15.0 | ~20.0 | ~1.50 | ~1.33 | 2,000 |
        | none | 4.50 | - | - | - | - | - |
        """,
        table.markdown());
  }

  @Test
  void makesMeansOverAllCellsOfALine() throws Exception {
    JmhFile file = new JmhFile();
    for (String codec : List.of("lz4", "zstd")) {
      double kafka = codec.equals("lz4") ? 2_000 : 16_000;
      file.add("In.place", "contender=CORE records=1 valueBytes=100 codec=" + codec, 1_000)
          .add("In.place", "contender=KAFKA records=1 valueBytes=100 codec=" + codec, kafka)
          .add("In.place", "contender=CORE records=9 valueBytes=100 codec=" + codec, 1_000)
          .add("In.place", "contender=KAFKA records=9 valueBytes=100 codec=" + codec, 4 * kafka);
    }
    Table table = Pivot.of(rows(file), Words.parse("rows=codec means=KAFKA/CORE bytes=CORE,NONE"));
    assertEquals(
        List.of(
            List.of("lz4", "4.00 (2.00 to 8.00)", "2,000", "-"),
            List.of("zstd", "32.0 (16.0 to 64.0)", "2,000", "-"),
            List.of("all", "11.3 (2.00 to 64.0)", "2,000", "-")),
        table.rows());
  }

  @Test
  void comparesLeastTimesIfAsked() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("In.place", "codec=lz4 contender=KAFKA", "us/op", 0, 9, 10, 11)
            .add("In.place", "codec=lz4 contender=CORE", 3_000, 5_000, 8_000)
            .add("In.place", "codec=none contender=KAFKA", 3_000, 4_000, 9_000)
            .add("In.place", "codec=none contender=CORE", 1_000, 1_000, 2_000);
    String pairs = "KAFKA/CORE,KAFKA/CORE@least";
    Table table = Pivot.of(rows(file), Words.parse("rows=codec columns=CORE ratios=" + pairs));
    assertEquals(
        """
        | | `CORE` | Kafka / `CORE` | Kafka / `CORE`, least |
        |---|--:|--:|--:|
        | lz4 | ~5,000 | ~2.00 | 3.00 |
        | none | ~1,000 | ~4.00 | 3.00 |
        """,
        table.markdown());
    Table means = Pivot.of(rows(file), Words.parse("rows=mode means=" + pairs));
    assertEquals(
        List.of(List.of("avgt", "2.83 (2.00 to 4.00)", "3.00 (3.00 to 3.00)")), means.rows());
  }

  /** A mean over fewer cells than its neighbour is not to be compared with it. */
  @Test
  void tellsOfCellsWithoutThePair() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("In.place", "codec=none contender=KAFKA", 16)
            .add("In.place", "codec=none contender=CORE", 1)
            .add("In.place", "codec=lz4 contender=KAFKA", 4)
            .add("In.place", "codec=lz4 contender=CORE", 1)
            .add("In.place", "codec=lz4 contender=FLOOR", 1);
    String pairs = "KAFKA/CORE,CORE/FLOOR";
    Table table = Pivot.of(rows(file), Words.parse("rows=codec means=" + pairs));
    assertEquals(
        List.of("all", "8.00 (4.00 to 16.0)", "1.00 (1.00 to 1.00; 1 of 2)"), table.rows().get(2));
    assertEquals(List.of("none", "16.0 (16.0 to 16.0)", "-"), table.rows().get(0));
  }

  @Test
  void linesOfOneFirstFieldStandTogether() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("In.place", "codec=lz4 shape=1x1024", 1)
            .add("In.place", "codec=lz4 shape=1000x100", 1)
            .add("In.place", "codec=zstd shape=1x1024", 1);
    Table table = Pivot.of(rows(file), Words.parse("rows=shape,codec across=method"));
    assertEquals(
        List.of("1 x 1 KiB, lz4", "1 x 1 KiB, zstd", "1000 x 100 B, lz4"),
        table.rows().stream().map(row -> row.get(0)).toList());
  }

  @Test
  void aFieldMayHaveOneOfSeveralValues() throws Exception {
    JmhFile file =
        new JmhFile()
            .add("In.place", "codec=lz4 contender=CORE", 1)
            .add("In.place", "codec=zstd contender=CORE", 1)
            .add("In.place", "codec=none contender=CORE", 1);
    Table table = Pivot.of(rows(file), Words.parse("rows=codec codec=lz4,none"));
    assertEquals(List.of("lz4", "none"), table.rows().stream().map(row -> row.get(0)).toList());
  }

  @Test
  void twoRowsForOneCellAreAnError() throws Exception {
    List<Row> rows =
        rows(
            new JmhFile()
                .add("In.place", "contender=CORE memory=HEAP", 1)
                .add("In.place", "contender=CORE memory=DIRECT", 2));
    var error =
        assertThrows(
            IllegalArgumentException.class, () -> Pivot.of(rows, Words.parse("rows=mode")));
    assertTrue(String.valueOf(error.getMessage()).contains("memory=DIRECT"));
    assertEquals(1, Pivot.of(rows, Words.parse("rows=mode memory=HEAP")).rows().size());
  }

  @Test
  void noRowIsAnError() throws Exception {
    List<Row> rows = rows(new JmhFile().add("In.place", "codec=lz4", 1));
    assertThrows(
        IllegalArgumentException.class, () -> Pivot.of(rows, Words.parse("rows=mode codec=lzma")));
  }

  private List<Row> rows(JmhFile file) throws IOException {
    return Row.read(file.write(folder.resolve("file.json")));
  }
}
