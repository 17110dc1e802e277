// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A salvage that would lose markers of transactions names them and writes nothing. */
class SalvageMarkersTest {

  @TempDir private Path directory;
  private StoredLog log;

  @BeforeEach
  void write() throws IOException {
    log = new StoredLog(SampleLog.write(directory));
  }

  /** The header of the marker says what it is, the transaction index how the transaction ended. */
  @ParameterizedTest
  @CsvSource({
    "1, 7, 'producer 11: the abort marker at offset'",
    "1, 9, 'producer 12: the abort marker at offset'",
    "1, 3, 'producer 11: the commit marker at offset'",
    "3, 1, 'producer 13: the abort marker at offset'",
    "3, 3, 'producer 11: the abort marker at offset'",
  })
  void damagedMarkers(int segment, int batch, String expected) throws Exception {
    StoredLog.Batch marker = log.batches(segment).get(batch);
    flip(segment, marker);
    Run run = salvage();
    assertEquals(3, run.exitCode(), run.out() + run.err());
    String text = joined(run);
    assertTrue(text.contains(expected + " " + marker.base() + " is lost; "), text);
    assertFalse(Files.exists(directory.resolve("out")), text);
  }

  /** The offsets of the records are on the same line. */
  @Test
  void theRecordsOfTheTransactionAreNamed() throws Exception {
    List<StoredLog.Batch> batches = log.batches(1);
    flip(1, batches.get(7));
    StoredLog.Batch data = batches.get(4);
    String text = joined(salvage());
    String records = "offsets " + data.base() + " to " + data.last() + " (2 records)";
    assertTrue(text.contains("; " + records + " were rolled back and may become visible"), text);
  }

  @Test
  void theOptionWritesThePartition() throws Exception {
    flip(1, log.batches(1).get(7));
    Run run = salvage("--lose-markers");
    assertEquals(1, run.exitCode(), run.out() + run.err());
    String text = joined(run);
    assertTrue(text.contains("the abort marker at offset "), text);
    assertTrue(Files.exists(directory.resolve("out/orders-3").resolve(log.name(1, ".log"))), text);
  }

  /** Without the index it is unknown whether the transaction was committed. */
  @Test
  void withoutTheIndexTheOutcomeIsUnknown() throws Exception {
    flip(1, log.batches(1).get(7));
    log.deleteIndexes(1);
    String text = joined(salvage());
    assertTrue(text.contains(" may be lost; whether offsets "), text);
  }

  /** Bytes without a header hide the marker, but not from the transaction index. */
  @Test
  void overwrittenMarkers() throws Exception {
    StoredLog.Batch marker = log.batches(1).get(7);
    log.fill(log.file(1, ".log"), marker.position(), marker.position() + marker.bytes());
    Run run = salvage();
    assertEquals(3, run.exitCode(), run.out() + run.err());
    String expected = "producer 11: the abort marker at offset " + marker.base() + " is lost; ";
    assertTrue(joined(run).contains(expected), run.out());
  }

  /** A damaged batch of data is no marker, whichever transactions are open. */
  @Test
  void damagedDataIsWrittenAsBefore() throws Exception {
    flip(1, log.batches(1).get(2));
    Run run = salvage();
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertFalse(run.out().contains("marker at"), run.out());
    assertTrue(Files.exists(directory.resolve("out/orders-3").resolve(log.name(1, ".log"))));
    assertEquals(List.of(), unfinished());
  }

  private List<Path> unfinished() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
      return files.filter(file -> file.toString().endsWith(".unfinished")).toList();
    }
  }

  private void flip(int segment, StoredLog.Batch batch) throws IOException {
    int at = batch.position() + batch.bytes() - 2;
    log.edit(log.file(segment, ".log"), all -> all.put(at, (byte) ~all.get(at)));
  }

  private Run salvage(String... more) {
    Stream<String> arguments =
        Stream.of("salvage", log.directory().toString(), "--into=" + directory.resolve("out"));
    return Run.of(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
  }

  private static String joined(Run run) {
    return run.out().replaceAll("\\s+", " ");
  }
}
