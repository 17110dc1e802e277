// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.Options.Output;
import io.github.batchvalidator.bench.broker.Options.Slot;
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
    Options options =
        parse("--line 4.4 --rounds 7 --seconds 4 --profiler p.so --out here --resume");
    assertEquals("4.4", options.line());
    assertEquals(7, options.rounds());
    assertEquals(Path.of("p.so"), options.profiler());
    assertEquals(new Output(Path.of("here"), "", true), options.out());
    assertEquals(new Slot(4, Slot.FULL.bytes()), options.slot());
  }

  @Test
  void theDefaultIsTheOldestLineWithoutProfile() {
    Options options = parse("--quick");
    assertEquals("4.3", options.line());
    assertNull(options.profiler());
    assertEquals(3, options.rounds());
    assertEquals(Slot.QUICK, options.slot());
    assertEquals("-quick", options.out().scope());
    assertFalse(options.out().isResumed());
  }

  @Test
  void quickHasEachCodecAndSizeTheRecompressionsAndManyPartitions() {
    assertEquals(
        List.of(
            "none 15x1KiB full 4 4",
            "none 125x1KiB full 4 4",
            "lz4 15x1KiB full 4 4",
            "lz4 125x1KiB full 4 4",
            "lz4-zstd 125x1KiB full 4 4",
            "lz4 15x1KiB full 200 8"),
        cells("--quick --codecs none,lz4"));
    assertEquals(5 * 2 + 2 + 1, cells("--quick").size());
  }

  @Test
  void fullHasRatesSmallRecordsAndTheHotPartitionToo() {
    List<String> cells = cells("--codecs gzip");
    assertEquals(
        List.of(
            "gzip 125x1KiB 30% 4 4",
            "gzip 125x1KiB 60% 4 4",
            "gzip 125x1KiB 90% 4 4",
            "gzip-lz4 125x1KiB 60% 4 4",
            "gzip 125x1KiB 90% 1 8",
            "gzip 15x1KiB full 4 4",
            "gzip 153x100B full 4 4",
            "gzip 125x1KiB full 4 4",
            "gzip 1280x100B full 4 4",
            "gzip-lz4 125x1KiB full 4 4",
            "gzip 125x1KiB full 1 8"),
        cells);
  }

  @Test
  void ratesHaveEachCodecAtTwoRatesAndWhatOperatorsAskBeside() {
    List<String> cells = cells("--scenarios rates");
    assertEquals(5 * 2 + 1 + 2 + 2 + 1 + 1, cells.size());
    assertTrue(
        cells.containsAll(
            List.of(
                "none 1x1KiB 60% 4 4",
                "lz4 1x1KiB 60% 4 4", "lz4-zstd 125x1KiB 60% 4 4", "lz4 15x1KiB 60% 200 8")),
        cells::toString);
  }

  @Test
  void filesAreCalledAfterWhatIsMeasured() {
    int jdk = Runtime.version().feature();
    assertEquals("broker-4.3-jdk" + jdk, parse("").fileName());
    assertEquals(
        "broker-4.4-rates-hot-quick-jdk" + jdk,
        parse("--quick --scenarios rates,hot --line 4.4").fileName());
  }

  @Test
  void aScenarioThatIsNamedIsMeasuredQuickOrNot() {
    assertEquals(List.of("gzip 125x1KiB full 1 8"), cells("--quick --scenarios hot --codecs gzip"));
  }

  @Test
  void noCellStandsTwice() {
    List<String> cells = cells("");
    assertEquals(cells.size(), new HashSet<>(cells).size());
    assertEquals(17 + 5 * 4 + 2 + 1 + 1 + 2, cells.size());
  }

  /** A topic is called after its place in the list, and a file of flames after the cell. */
  @Test
  void namesOfFilesAreNames() {
    for (Cell cell : parse("").cells()) {
      assertTrue(cell.fileName().matches("[\\w-]+"), cell.fileName());
    }
  }

  @Test
  void labelsLeaveOutTheUsualCrowd() {
    assertEquals(
        List.of("gzip-lz4, 125x1KiB, 60 %", "gzip, 125x1KiB, 90 %, 1 partition, 8 producers"),
        parse("--scenarios rates --codecs gzip").cells().stream()
            .map(Cell::label)
            .skip(3)
            .toList());
    Cell many = parse("--scenarios many").cells().get(0);
    assertEquals("lz4, 15x1KiB, full speed, 200 partitions, 8 producers", many.label());
    Cell beside = parse("--scenarios neighbor").cells().get(0);
    assertEquals(
        "lz4, 15x1KiB, 30 %, 1 partition, 50 producers beside one of large gzip batches",
        beside.label());
  }

  @Test
  void producersOfOnePartitionAreNotPinned() {
    assertEquals(
        List.of("gzip 125x1KiB 90% 1 8"),
        parse("--scenarios rates").cells().stream()
            .filter(cell -> !cell.isPinned())
            .map(Cell::toString)
            .toList());
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
        "--seconds 0",
        "--fast",
        "quick",
        "--codecs none --scenarios hot"
      })
  void wrongOptionsAreRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> parse(line));
  }
}
