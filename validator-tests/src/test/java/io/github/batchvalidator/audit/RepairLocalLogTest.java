// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repair of a log that starts after offset 0, as the local log of a tiered topic does. */
class RepairLocalLogTest {
  private static final String EPOCHS = "leader-epoch-checkpoint";
  private static final long ABORTED = 11;
  private static final long OPEN = 12;

  /** The first offset of the local log. Two transactions are open there. */
  private static final long START = 6;

  @TempDir private Path data;

  /** Writes a local log of two segments. The batches of two leaders are before it. */
  private Path write(String name) throws IOException {
    Path directory = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(directory)) {
      writeFirst(log);
      log.plain(2).nextLeader().abort(ABORTED).plain(2).roll();
      log.plain(3);
    }
    new StoredLog(directory).delete(0);
    return directory;
  }

  private static void writeFirst(KafkaLog log) throws IOException {
    log.plain(2).nextLeader().transactional(ABORTED, 2).transactional(OPEN, 2).roll();
  }

  /** Changes the last bytes of a batch. */
  private static void damage(Path copy, int segment, int batch) throws IOException {
    StoredLog log = new StoredLog(copy);
    Batch damaged = log.batches(segment).get(batch);
    int at = damaged.position() + damaged.bytes() - 2;
    log.edit(log.file(segment, ".log"), all -> all.put(at, (byte) ~all.get(at)));
  }

  private static Path snapshot(Path copy) {
    return copy.resolve(StoredLog.fileName(START, ".snapshot"));
  }

  private Repaired repair(Path... copies) throws Exception {
    Repaired repaired = new Repaired(data.resolve("out"));
    for (Path each : copies) {
      StoredLog.age(each);
      repaired.from(each);
    }
    return repaired.run();
  }

  /** Compares all files but the indexes whose entries depend on settings. */
  private static void assertIs(Path expected, Repaired repaired) throws IOException {
    assertTrue(repaired.isDone(), repaired::text);
    List<String> differences =
        Repaired.differences(expected, repaired.directory()).stream()
            .filter(each -> !each.contains(".index") && !each.contains(".timeindex"))
            .toList();
    assertEquals(List.of(), differences, repaired::text);
  }

  @Test
  void epochsBeforeTheLogAreKept() throws Exception {
    Path damaged = write("a");
    Path sound = write("b");
    damage(damaged, 0, 0);
    Repaired repaired = repair(damaged, sound);
    assertTrue(repaired.isDone(), repaired::text);
    assertEquals("0\n3\n0 0\n1 2\n2 8\n", Files.readString(sound.resolve(EPOCHS)));
    assertEquals(
        Files.readString(sound.resolve(EPOCHS)),
        Files.readString(repaired.directory().resolve(EPOCHS)));
  }

  /** One transaction is aborted in the local log. The other one stays open. */
  @Test
  void transactionsFromBeforeTheLogAreKept() throws Exception {
    Path damaged = write("a");
    Path sound = write("b");
    damage(damaged, 0, 0);
    assertIs(sound, repair(damaged, sound));
  }

  @Test
  void whatTheFirstCopyLacksComesFromAnother() throws Exception {
    Path expected = write("expected");
    Path first = write("a");
    Path other = write("b");
    Files.delete(first.resolve(EPOCHS));
    new StoredLog(first).truncate(snapshot(first), 20);
    damage(other, 0, 0);
    damage(other, 1, 0);
    assertIs(expected, repair(first, other));
  }

  /** An earlier repair may have written such a checkpoint. */
  @Test
  void theHistoryThatStartsFirstIsTaken() throws Exception {
    Path expected = write("expected");
    Path first = write("a");
    Path other = write("b");
    Files.writeString(first.resolve(EPOCHS), "0\n2\n1 " + START + "\n2 8\n");
    assertIs(expected, repair(first, other));
  }

  @Test
  void aLogWithoutBatchesKeepsWhatIsBeforeIt() throws Exception {
    Path copy = Files.createDirectories(data.resolve("a")).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(copy)) {
      writeFirst(log);
    }
    new StoredLog(copy).delete(0);
    assertIs(copy, repair(copy));
  }

  @Test
  void aRepairWithoutASoundHistorySaysSo() throws Exception {
    Path copy = write("a");
    Files.delete(copy.resolve(EPOCHS));
    Repaired repaired = repair(copy);
    assertTrue(repaired.isDone(), repaired::text);
    String note = "no copy has a sound leader-epoch-checkpoint";
    assertTrue(repaired.text().contains(note), repaired::text);
    assertEquals(
        "0\n2\n1 " + START + "\n2 8\n", Files.readString(repaired.directory().resolve(EPOCHS)));
  }

  /** Only a tiered log states a start before its first segment. */
  @Test
  void aRepairOfATieredLogWithoutItsFirstSnapshotSaysSo() throws Exception {
    String note = "no copy has a sound snapshot of producers at offset " + START;
    Path copy = write("a");
    Files.delete(snapshot(copy));
    Repaired repaired = repair(copy);
    assertTrue(repaired.isDone() && !repaired.text().contains(note), repaired::text);
    Files.writeString(
        data.resolve("a").resolve("log-start-offset-checkpoint"), "0\n1\norders 3 0\n");
    Repaired tiered = new Repaired(data.resolve("tiered")).from(copy).run();
    assertTrue(tiered.isDone() && tiered.text().contains(note), tiered::text);
  }

  @Test
  void aLostMarkerOfATransactionFromBeforeTheLogIsNamed() throws Exception {
    Path copy = write("a");
    damage(copy, 0, 0);
    Repaired repaired = repair(copy);
    assertFalse(repaired.isDone(), repaired::text);
    assertEquals(List.of(Kind.MISSING, Kind.MARKER), repaired.kinds(), repaired::text);
    assertTrue(repaired.text().contains("the records from offset 4 on"), repaired::text);
  }
}
