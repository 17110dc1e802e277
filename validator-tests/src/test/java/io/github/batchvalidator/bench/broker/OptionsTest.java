// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.Options.Slot;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private static Options parse(String line) {
    return Options.parse(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));
  }

  private static List<String> cells(String line) {
    return parse(line).cells().stream().map(Cell::toString).toList();
  }

  @Test
  void givenOptionsAreRead() {
    Options options = parse("--line 4.4 --rounds 7 --profiler p.so --out here");
    assertEquals("4.4", options.line());
    assertEquals(7, options.rounds());
    assertEquals(Path.of("p.so"), options.profiler());
    assertEquals(Path.of("here"), options.out());
    assertEquals(Slot.FULL, options.slot());
  }

  @Test
  void theDefaultIsTheOldestLineWithoutProfile() {
    Options options = parse("--quick");
    assertEquals("4.3", options.line());
    assertNull(options.profiler());
    assertEquals(2, options.rounds());
    assertEquals(Slot.QUICK, options.slot());
  }

  @Test
  void quickHasEachCodecAndSizeTheRecompressionsAndManyPartitions() {
    assertEquals(
        List.of(
            "none 16KiB/0ms 1KiB full 1 1",
            "none 128KiB/20ms 1KiB full 1 1",
            "lz4 16KiB/0ms 1KiB full 1 1",
            "lz4 128KiB/20ms 1KiB full 1 1",
            "lz4-zstd 128KiB/20ms 1KiB full 1 1",
            "lz4 16KiB/0ms 1KiB full 200 4"),
        cells("--quick --codecs none,lz4"));
    assertEquals(5 * 2 + 2 + 1, cells("--quick").size());
  }

  @Test
  void fullHasSmallRecordsFixedRatesAndTheHotPartitionToo() {
    List<String> cells = cells("--codecs gzip");
    assertEquals(
        List.of(
            "gzip 16KiB/0ms 1KiB full 1 1",
            "gzip 16KiB/0ms 1KiB 8000/s 1 1",
            "gzip 16KiB/0ms 100B full 1 1",
            "gzip 16KiB/0ms 100B 40000/s 1 1",
            "gzip 128KiB/20ms 1KiB full 1 1",
            "gzip 128KiB/20ms 1KiB 8000/s 1 1",
            "gzip 128KiB/20ms 100B full 1 1",
            "gzip 128KiB/20ms 100B 40000/s 1 1",
            "gzip-lz4 128KiB/20ms 1KiB full 1 1",
            "gzip 128KiB/20ms 1KiB full 1 8"),
        cells);
  }

  @Test
  void aScenarioThatIsNamedIsMeasuredQuickOrNot() {
    assertEquals(
        List.of("gzip 128KiB/20ms 1KiB full 1 8"), cells("--quick --scenarios hot --codecs gzip"));
  }

  @Test
  void noCellStandsTwice() {
    List<String> cells = cells("");
    assertEquals(cells.size(), new HashSet<>(cells).size());
    assertEquals(5 * 8 + 2 + 1 + 1, cells.size());
  }

  /** A topic is called after its place in the list, and a file of flames after the cell. */
  @Test
  void namesOfFilesAreNames() {
    for (Cell cell : parse("").cells()) {
      assertTrue(cell.fileName().matches("[\\w-]+"), cell.fileName());
    }
  }

  @Test
  void aSlotIsBoundByTimeOrBytes() {
    Slot slot = new Slot(3, 1 << 20);
    Cell large = parse("--codecs lz4 --scenarios recompression").cells().get(0);
    assertEquals(300, slot.records(large, 100));
    assertEquals(1_024, slot.records(large, 100_000));
    assertEquals(1_024, slot.firstRecords(large));
    assertEquals(24_000, slot.records(large.at(8_000), 100));
    assertEquals(24_000, slot.firstRecords(large.at(8_000)));
    Cell small = parse("--codecs lz4 --scenarios grid").cells().get(2);
    assertEquals(100, small.valueBytes());
    assertEquals(10_485, slot.records(small, 100_000));
    assertEquals(100_000, Slot.QUICK.firstRecords(small));
  }

  @Test
  void agentTakesPartWhereProducersWaitForEachOther() {
    List<String> cells =
        parse("--quick").cells().stream()
            .filter(cell -> cell.includes(BrokerBuild.DROP_IN_AGENT))
            .map(Cell::toString)
            .toList();
    assertTrue(
        !cells.isEmpty() && cells.stream().noneMatch(cell -> cell.endsWith(" 1")), cells::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--line 3.9",
        "--codecs lzo",
        "--codecs lz4,",
        "--scenarios all",
        "--rounds 0",
        "--rounds 100",
        "--rounds many",
        "--rounds",
        "--fast",
        "quick",
        "--codecs none --scenarios hot"
      })
  void wrongOptionsAreRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> parse(line));
  }
}
