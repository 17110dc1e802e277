// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.repair.Repair;
import io.github.batchvalidator.audit.repair.RepairOptions;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repair of a compacted partition loses nothing unnoticed, and keeps what files say of it. */
class RepairCompactedTest {
  private static final RepairOptions COMPACTED =
      new RepairOptions(null, false, false, true, false, false);
  private static final RepairOptions UNKNOWN =
      new RepairOptions(null, false, false, false, false, false);
  private static final int CLOSED = 3;
  private static final long NEVER_OPEN = -1;

  @TempDir private Path data;

  /**
   * Writes segments of three batches, each of another leader, and an active one.
   *
   * @param records the number of records in the active segment
   */
  private Path write(String name, int records) throws IOException {
    Path directory = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(directory)) {
      for (int i = 0; i < CLOSED; i++) {
        log.plain(9).plain(3).plain(3).nextLeader().roll();
      }
      for (int i = 0; i < records; i++) {
        log.plain(1);
      }
    }
    return directory;
  }

  /** Removes a batch as the cleaner does if all of its records are obsolete. */
  private static void remove(Path copy, int segment, int batch) throws IOException {
    StoredLog log = new StoredLog(copy);
    log.cut(segment, log.batches(segment).get(batch));
    log.deleteIndexes(segment);
  }

  private Repaired repair(Path... copies) throws Exception {
    return repair(COMPACTED, copies);
  }

  private Repaired repair(RepairOptions options, Path... copies) throws Exception {
    Repaired repaired = new Repaired(data.resolve("out")).options(options);
    for (Path each : copies) {
      StoredLog.age(each);
      repaired.from(each);
    }
    return repaired.run();
  }

  private static void assertIsLogOf(Path expected, Repaired repaired) throws IOException {
    assertTrue(repaired.isDone(), repaired::text);
    assertEquals(List.of(), repaired.segmentsThatDiffer(expected), repaired::text);
  }

  /** A segment with a byte that cannot be read. */
  private static final class BadSegment extends FileSegment {
    private final long bad;

    BadSegment(Path path, Partition partition, long bad) {
      super(path, partition, true);
      this.bad = bad;
    }

    @Override
    public void openBytes() throws IOException {
      if (bad == NEVER_OPEN) {
        throw new IOException("bad sector");
      }
      super.openBytes();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (position <= bad && bad < position + target.remaining()) {
        throw new IOException("bad sector");
      }
      super.read(target, position);
    }
  }

  /** A segment whose mapping was truncated after the check. */
  private static final class TruncatedSegment extends FileSegment {
    private int opened;

    TruncatedSegment(Path path, Partition partition) {
      super(path, partition, true);
    }

    @Override
    public void openBytes() throws IOException {
      opened++;
      super.openBytes();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (opened > 1) {
        throw new InternalError("a fault");
      }
      super.read(target, position);
    }
  }

  /** Repairs from a copy with a bad segment, and from others. */
  private Repaired repairBad(Path copy, int segment, long bad, Path... others) throws Exception {
    Repair.Input sound = Repaired.input(copy);
    List<Segment> segments = new ArrayList<>(sound.segments());
    Path file = Path.of(segments.get(segment).name());
    segments.set(segment, new BadSegment(file, sound.partition(), bad));
    List<Repair.Input> inputs = new ArrayList<>();
    inputs.add(new Repair.Input(sound.name(), sound.partition(), segments));
    List<Path> directories = new ArrayList<>(List.of(copy));
    for (Path each : others) {
      inputs.add(Repaired.input(each));
      directories.add(each);
    }
    for (Path each : directories) {
      StoredLog.age(each);
    }
    return new Repaired(data.resolve("out")).options(COMPACTED).run(inputs, directories);
  }

  @Test
  void aSegmentThatCannotBeOpenedIsNotLeftOut() throws Exception {
    Path copy = write("a", 1);
    Repaired repaired = repairBad(copy, 1, NEVER_OPEN);
    assertFalse(repaired.isDone());
    assertEquals(List.of(Kind.MISSING), repaired.kinds(), repaired::text);
    assertTrue(repaired.text().contains("MISSING 15 to 29: "), repaired::text);
    assertTrue(repaired.text().contains(" could not be opened"), repaired::text);
  }

  @Test
  void aCopyWhoseSegmentsCanAllBeOpenedIsTakenInstead() throws Exception {
    Path copy = write("a", 1);
    Path sound = write("b", 1);
    assertIsLogOf(sound, repairBad(copy, 1, NEVER_OPEN, sound));
  }

  @Test
  void aBadSectorOfOneCopyDoesNotPreventTheRepairFromAnother() throws Exception {
    Path copy = write("a", 1);
    Path sound = write("b", 1);
    remove(copy, 0, 2); // so that no other copy has all of the damaged part
    remove(sound, 0, 2);
    int bad = new StoredLog(copy).batches(0).get(1).position() + BatchLayout.CRC_OFFSET;
    assertIsLogOf(sound, repairBad(copy, 0, bad, sound));
  }

  @Test
  void aMappingThatIsTruncatedDuringTheRepairIsAnError() throws Exception {
    Path copy = write("a", 1);
    StoredLog.age(copy);
    Repair.Input sound = Repaired.input(copy);
    List<Segment> segments = new ArrayList<>(sound.segments());
    Path file = Path.of(segments.get(1).name());
    segments.set(1, new TruncatedSegment(file, sound.partition()));
    Repair.Input input = new Repair.Input(sound.name(), sound.partition(), segments);
    Repaired repaired = new Repaired(data.resolve("out")).options(COMPACTED);
    IOException thrown =
        assertThrows(IOException.class, () -> repaired.run(List.of(input), List.of(copy)));
    assertEquals("java.lang.InternalError: a fault", thrown.getMessage());
  }

  private Path writeMessages(String name, LegacyMessage... messages) throws IOException {
    Path directory = Files.createDirectories(data.resolve(name).resolve("orders-3"));
    Files.write(directory.resolve(StoredLog.fileName(0, ".log")), LegacyMessage.join(messages));
    return directory;
  }

  /** The cleaner has removed a tombstone at offset 6, and the record of its key at offset 3. */
  @Test
  void innerMessagesThatCompactionHasLeftDoNotContinueAnotherCopy() throws Exception {
    LegacyMessage[] plain = LegacyMessage.several(1, 5);
    LegacyMessage left =
        LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.of(1), LegacyMessage.of(1).offset(2))
            .offset(9);
    Path copy = writeMessages("a", plain);
    Path cleaned = writeMessages("b", plain[0], plain[1], plain[2], plain[4], left);
    assertIsLogOf(cleaned, repair(copy, cleaned));
  }

  /** Whether compaction has removed what the other copy has is unknown. */
  @Test
  void aCheckpointThatCannotBeReadShowsNoCompaction() throws Exception {
    Path copy = write("a", 1);
    Path whole = write("b", 1);
    new StoredLog(copy).delete(1);
    Path checkpoint = copy.resolveSibling("cleaner-offset-checkpoint");
    Files.createSymbolicLink(checkpoint, checkpoint);
    Repaired repaired = repair(UNKNOWN, copy, whole);
    assertFalse(repaired.isDone());
    assertEquals(List.of(Kind.COMPACTION), repaired.kinds(), repaired::text);
  }

  @Test
  void anEpochStartsWhereItsFirstBatchWas() throws Exception {
    Path copy = write("a", 1);
    remove(copy, 1, 0);
    Repaired repaired = repair(copy);
    assertIsLogOf(copy, repaired);
    String name = "leader-epoch-checkpoint";
    assertEquals(
        Files.readString(copy.resolve(name)), Files.readString(repaired.directory().resolve(name)));
  }

  @Test
  void theActiveSegmentMayStartAfterWhatCompactionHasRemoved() throws Exception {
    Path copy = write("a", 0);
    Path same = write("b", 0);
    remove(copy, CLOSED - 1, 2);
    remove(same, CLOSED - 1, 2);
    assertIsLogOf(copy, repair(copy, same));
  }
}
