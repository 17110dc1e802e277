// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.repair.RepairOptions;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repair from copies of two leaders, of which the next one has not seen the end of the old. */
class RepairLeadersTest {
  private static final int COMMON = 5;

  @TempDir private Path data;

  private int repairs;

  /**
   * Writes a copy.
   *
   * @param isNext true if the next leader writes what the copies do not have in common
   * @param batches the numbers of records in the batches of that part, which starts at offset 10
   */
  private Path write(String name, boolean isNext, int... batches) throws IOException {
    Path directory = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(directory)) {
      for (int i = 0; i < COMMON; i++) {
        log.plain(2);
      }
      if (isNext) {
        log.nextLeader();
      }
      for (int records : batches) {
        log.plain(records);
      }
    }
    StoredLog.age(directory);
    return directory;
  }

  private static int[] single(int batches) {
    int[] records = new int[batches];
    Arrays.fill(records, 1);
    return records;
  }

  private static RepairOptions compacted() {
    return new RepairOptions(null, false, false, true, false, false);
  }

  private Repaired repair(RepairOptions options, Path... copies) throws Exception {
    Repaired repaired = new Repaired(data.resolve("out-" + repairs)).options(options);
    repairs++;
    List.of(copies).forEach(repaired::from);
    return repaired.run();
  }

  private static void assertIsLogOf(Path expected, Repaired repaired) throws IOException {
    assertTrue(repaired.isDone(), repaired::text);
    assertEquals(List.of(), repaired.segmentsThatDiffer(expected), repaired::text);
  }

  private static void assertDiffers(Repaired repaired) {
    assertFalse(repaired.isDone(), repaired::text);
    assertTrue(repaired.kinds().contains(Kind.DIFFERENT), repaired::text);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 6, 20})
  void theEndOfAnOldLeaderIsNotTakenIfItIsCompacted(int batches) throws Exception {
    Path old = write("a", false, single(batches));
    Path next = write("b", true, single(6));
    assertDiffers(repair(compacted(), old, next));
  }

  @Test
  void theBatchesShowAnotherLeaderWithoutItsCheckpoint() throws Exception {
    Path old = write("a", false, single(3));
    Path next = write("b", true, single(6));
    Files.delete(next.resolve("leader-epoch-checkpoint"));
    assertDiffers(repair(compacted(), old, next));
  }

  @Test
  void thePreferredCopyIsNotContinuedByAnotherLeader() throws Exception {
    Path old = write("a", false, single(3));
    Path next = write("b", true, single(6));
    RepairOptions asNext = new RepairOptions(next.toString(), false, false, true, false, false);
    assertIsLogOf(next, repair(asNext, old, next));
    RepairOptions asOld = new RepairOptions(old.toString(), true, false, true, false, false);
    assertIsLogOf(old, repair(asOld, old, next));
  }

  @Test
  void theSameLeaderContinuesACompactedCopy() throws Exception {
    Path behind = write("a", true, single(3));
    Path next = write("b", true, single(6));
    assertIsLogOf(next, repair(compacted(), behind, next));
  }

  /** The check finds a wrong epoch after the batches that follow, and the marker at once. */
  @Test
  void aWrongEpochBeforeAnUnreadableMarkerIsNotTaken() throws Exception {
    Path sound = Files.createDirectories(data.resolve("b")).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(sound)) {
      log.transactional(7, 2).plain(1).commit(7).plain(1).plain(1);
    }
    Files.delete(sound.resolve("leader-epoch-checkpoint"));
    Path damaged = Files.createDirectories(data.resolve("a")).resolve("orders-3");
    StoredLog.copy(sound, damaged);
    StoredLog log = new StoredLog(damaged);
    List<StoredLog.Batch> batches = log.batches(0);
    int epoch = batches.get(1).position() + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET;
    log.edit(log.file(0, ".log"), all -> all.putInt(epoch, 77));
    log.editBatch(
        0, batches.get(2), batch -> batch.putShort(ProducerDamage.MARKER_KEY, (short) -1));
    StoredLog.age(data);
    RepairOptions options = new RepairOptions(null, false, false, false, true, false);
    assertIsLogOf(sound, repair(options, damaged, sound));
  }

  /** The next leader has one batch where the old one has two. */
  @Test
  void eachBatchOfThePreferredCopyIsTaken() throws Exception {
    Path old = write("a", false, 5, 5);
    Path preferred = write("b", false, 5, 5);
    Path next = write("c", true, 10);
    RepairOptions options =
        new RepairOptions(preferred.toString(), false, false, false, true, false);
    assertIsLogOf(preferred, repair(options, old, preferred, next));
  }
}
