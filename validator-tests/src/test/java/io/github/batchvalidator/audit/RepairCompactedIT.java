// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.audit.repair.RepairOptions;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repair of a compacted partition never brings back what compaction has removed. */
class RepairCompactedIT {
  private static final RepairOptions NONE =
      new RepairOptions(null, false, false, false, false, false);
  private static final int KEYS = 20;
  private static final int SEEDS = 40;

  @TempDir private Path data;

  private Path cleaned;
  private Path same;
  private Path uncleaned;

  @BeforeEach
  void writeCopies() throws Exception {
    cleaned = write("cleaned", true);
    same = write("same", true);
    uncleaned = write("uncleaned", false);
  }

  private Path write(String name, boolean cleans) throws Exception {
    Path directory = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(directory, CompactedLogTest.COMPACT)) {
      log.keys(KEYS);
      for (int i = 0; i < 3; i++) {
        for (Codec codec : Codec.values()) {
          log.codec(codec).plain(13).idempotent(1, 3).transactional(2, 5).plain(1).commit(2);
        }
        log.nextLeader().roll();
      }
      if (cleans) {
        CompactedLogTest.clean(log);
      }
      log.codec(Codec.NONE).plain(3).idempotent(1, 4).plain(2);
    }
    return directory;
  }

  private Repaired repair(Path... copies) throws Exception {
    Repaired repaired = new Repaired(data.resolve("out")).options(NONE);
    for (Path each : copies) {
      StoredLog.age(each);
      repaired.from(each);
    }
    return repaired.run();
  }

  /** Changes the last bytes of a batch. */
  private static void damage(Path copy, int segment, int batch) throws IOException {
    StoredLog log = new StoredLog(copy);
    Batch damaged = log.batches(segment).get(batch);
    int at = damaged.position() + damaged.bytes() - 2;
    log.edit(log.file(segment, ".log"), all -> all.put(at, (byte) ~all.get(at)));
  }

  private static void assertSameLog(Path expected, Repaired repaired) throws IOException {
    assertTrue(repaired.isDone(), repaired::text);
    assertTrue(repaired.summary().compacted());
    assertEquals(List.of(), repaired.segmentsThatDiffer(expected), repaired::text);
  }

  @Test
  void aDamagedBatchComesFromACopyThatHasTheSameBatch() throws Exception {
    damage(cleaned, 0, 2);
    assertSameLog(same, repair(cleaned, same));
  }

  @Test
  void copiesWithDamageInDifferentPlacesCompleteEachOther() throws Exception {
    Path sound = data.resolve("sound");
    StoredLog.copy(same, sound);
    damage(cleaned, 0, 2);
    damage(same, 0, 4);
    assertSameLog(sound, repair(cleaned, same));
  }

  @Test
  void aBatchThatCompactionHasShortenedIsNotTakenFromTheFullCopy() throws Exception {
    StoredLog log = new StoredLog(cleaned);
    Path sound = data.resolve("sound");
    StoredLog.copy(cleaned, sound);
    int refused = 0;
    for (int batch = 0; batch < log.batches(0).size(); batch++) {
      Files.copy(
          new StoredLog(sound).file(0, ".log"),
          log.file(0, ".log"),
          StandardCopyOption.REPLACE_EXISTING);
      damage(cleaned, 0, batch);
      damage(uncleaned, 1, 0); // so that the other copy cannot be the base as it is
      Repaired repaired = repair(cleaned, uncleaned);
      if (repaired.isDone()) {
        assertEquals(List.of(), repaired.segmentsThatDiffer(sound), repaired::text);
        Folders.delete(repaired.directory());
      } else {
        refused++;
        assertTrue(repaired.kinds().contains(Kind.MISSING), repaired::text);
      }
      damage(uncleaned, 1, 0);
    }
    assertTrue(refused > 0);
  }

  @Test
  void aCopyThatIsLessCompactedAddsNothing() throws Exception {
    assertSameLog(cleaned, repair(cleaned, uncleaned));
  }

  @Test
  void theFirstCopyIsTheBaseUnlessAnotherIsPreferred() throws Exception {
    Repaired repaired = repair(uncleaned, cleaned);
    assertSameLog(uncleaned, repaired);
    Folders.delete(repaired.directory());
    Repaired preferred =
        new Repaired(data.resolve("out"))
            .options(new RepairOptions(cleaned.toString(), false, false, false, false, false))
            .from(uncleaned)
            .from(cleaned)
            .run();
    assertSameLog(cleaned, preferred);
  }

  @Test
  void whatFollowsTheBaseIsTakenWhileNoOffsetIsMissing() throws Exception {
    StoredLog log = new StoredLog(cleaned);
    int last = log.bases().size() - 1;
    log.truncate(log.file(last, ".log"), log.batches(last).get(1).position() + 20);
    assertSameLog(uncleaned(last), repair(cleaned, uncleaned));
  }

  /** Returns a sound compacted copy. Its last segment is that of the other ones. */
  private Path uncleaned(int last) throws IOException {
    StoredLog sound = new StoredLog(same);
    StoredLog other = new StoredLog(uncleaned);
    int lastOfOther = other.bases().size() - 1;
    assertEquals(-1, Files.mismatch(sound.file(last, ".log"), other.file(lastOfOther, ".log")));
    return same;
  }

  @Test
  void noSeedGivesTheLogOfNoCopy() throws Exception {
    List<Path> sound = List.of(data.resolve("sound-0"), data.resolve("sound-1"));
    StoredLog.copy(cleaned, sound.get(0));
    StoredLog.copy(uncleaned, sound.get(1));
    int done = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Path one = copy(sound.get(0), "one-" + seed);
      Path other = copy(sound.get(random.nextInt(2)), "other-" + seed);
      for (Path each : List.of(one, other)) {
        StoredLog log = new StoredLog(each);
        int segment = random.nextInt(log.bases().size());
        damage(each, segment, random.nextInt(log.batches(segment).size()));
      }
      Repaired repaired = repair(one, other);
      if (repaired.isDone()) {
        done++;
        boolean isOne = repaired.segmentsThatDiffer(sound.get(0)).isEmpty();
        boolean isOther = repaired.segmentsThatDiffer(sound.get(1)).isEmpty();
        assertTrue(isOne || isOther, "seed " + seed);
        Folders.delete(repaired.directory());
      } else {
        assertFalse(repaired.summary().problems().isEmpty(), "seed " + seed);
      }
    }
    assertTrue(done > SEEDS / 4, "only " + done + " repaired");
  }

  private Path copy(Path from, String name) throws IOException {
    Path copy = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    StoredLog.copy(from, copy);
    return copy;
  }
}
