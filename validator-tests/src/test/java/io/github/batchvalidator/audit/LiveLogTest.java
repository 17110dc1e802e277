// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An audit reports damage, but no change that a broker makes during the audit. */
class LiveLogTest {
  @TempDir private Path data;

  private final AtomicBoolean done = new AtomicBoolean();

  /** Something that changes files. */
  private interface Change {
    void make() throws Exception;
  }

  private void once(Change change) {
    if (done.compareAndSet(false, true)) {
      try {
        change.make();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Audits the directory, which changes after a part of the last segment was read. */
  private Audited auditedWhile(Change change) throws InterruptedException {
    return Audited.of(data, false, listed -> {}, bytes -> once(change));
  }

  private static void assertClean(Audited audited) {
    assertEquals(List.of(), audited.messages());
    assertEquals(List.of(), audited.errors());
  }

  private KafkaLog log() throws IOException {
    return KafkaLog.open(data.resolve("orders-3"));
  }

  @Test
  void indexEntriesOfLaterBatchesAreNoFault() throws Exception {
    try (KafkaLog log = log()) {
      log.plain(3).transactional(1, 2);
      assertClean(
          auditedWhile(
              () -> {
                log.abort(1);
                for (int i = 0; i < 20; i++) {
                  log.codec(Codec.NONE).plain(9).transactional(1, 3).abort(1);
                }
              }));
    }
  }

  @Test
  void aWrongEntryOfEarlierBatchesStillIs() throws Exception {
    Path directory = data.resolve("orders-3");
    try (KafkaLog log = log()) {
      for (int i = 0; i < 20; i++) {
        log.plain(9);
      }
    }
    StoredLog stored = new StoredLog(directory);
    stored.edit(stored.file(0, ".index"), all -> all.putInt(4, all.getInt(4) + 1));
    Path segment = stored.file(0, ".log");
    byte[] more = Files.readAllBytes(segment);
    Audited audited = auditedWhile(() -> stored.append(segment, more));
    assertEquals(List.of("INDEX_POSITION_INVALID " + stored.at(0, ".index", 0)), audited.faults());
  }

  @Test
  void aNewLeaderEpochIsNoFault() throws Exception {
    try (KafkaLog log = log()) {
      log.plain(3).roll();
      Audited audited =
          Audited.of(
              data,
              false,
              listed -> {},
              bytes -> once(() -> log.nextLeader().plain(1).nextLeader().plain(2)));
      assertClean(audited);
    }
  }

  @Test
  void segmentsThatAreDeletedBeforeTheyAreReadAreCounted() throws Exception {
    try (KafkaLog log = log()) {
      for (int i = 0; i < 5; i++) {
        log.plain(3).idempotent(1, 2).roll();
      }
      log.plain(1);
    }
    StoredLog stored = new StoredLog(data.resolve("orders-3"));
    for (int segment : new int[] {0, 2}) {
      done.set(false);
      Audited audited =
          Audited.of(data, false, listed -> once(() -> stored.delete(segment)), bytes -> {});
      assertClean(audited);
      assertEquals(1, audited.vanished());
    }
    Audited later = Audited.of(data);
    assertEquals(1, later.faults().size(), later::text);
    assertTrue(later.text().startsWith("PARTITION_OFFSETS_MISSING"), later::text);
  }

  /** The indexes belong to the new segment, the batches that were read to the old one. */
  @Test
  void aSegmentThatIsReplacedIsNotComparedWithTheIndexesOfItsSuccessor() throws Exception {
    try (KafkaLog log = log()) {
      for (int i = 0; i < 30; i++) {
        log.plain(9);
      }
    }
    Path directory = data.resolve("orders-3");
    StoredLog stored = new StoredLog(directory);
    byte[] shorter = stored.bytes(0, stored.batches(0).get(0));
    String name = StoredLog.fileName(0, "");
    Change swap =
        () -> {
          for (String suffix : List.of(".log", ".index", ".timeindex")) {
            Path file = directory.resolve(name + suffix);
            Files.move(file, directory.resolve(name + suffix + ".deleted"));
          }
          Files.write(directory.resolve(name + ".log"), shorter);
          Files.write(directory.resolve(name + ".index"), new byte[] {1, 2, 3});
        };
    assertClean(Audited.of(directory, false, listed -> {}, bytes -> once(swap)));
  }

  @Test
  void aBatchThatIsWrittenInPartsIsNoFault() throws Exception {
    Path directory = data.resolve("orders-3");
    try (KafkaLog log = log()) {
      log.plain(5).plain(9);
    }
    StoredLog stored = new StoredLog(directory);
    Path segment = stored.file(0, ".log");
    byte[] all = Files.readAllBytes(segment);
    StoredLog.Batch last = stored.batches(0).get(1);
    stored.truncate(segment, last.position() + 70);
    // The file counts as new even if the audit starts late.
    Files.setLastModifiedTime(segment, FileTime.from(Instant.now().plusSeconds(60)));
    byte[] rest = Arrays.copyOfRange(all, last.position() + 70, all.length);
    Segment live =
        new FileSegment(segment, PartitionDirectory.of(directory), true) {
          private int looks;

          @Override
          protected long latestSize() throws IOException {
            looks++;
            if (looks == 3) {
              stored.append(segment, rest);
            }
            return super.latestSize();
          }
        };
    Audited audited = Audited.of(merge -> List.of(live), false, bytes -> {});
    assertClean(audited);
    assertEquals(1, audited.files().get(0).tally().batches());
    stored.truncate(segment, last.position() + 70);
    assertEquals(
        List.of("SEGMENT_TRUNCATED_TAIL " + stored.at(0, ".log", last.position())),
        Audited.of(directory).faults().stream().filter(f -> f.startsWith("SEGMENT")).toList());
  }

  @Test
  void aPartitionThatIsDeletedIsNoError() throws Exception {
    SampleLog.write(data);
    Path directory = data.resolve("orders-3");
    Audited audited =
        Audited.of(
            data,
            false,
            listed ->
                once(
                    () ->
                        Files.move(
                            directory,
                            data.resolve("orders-3.0123456789abcdef0123456789abcdef-delete"),
                            StandardCopyOption.ATOMIC_MOVE)),
            bytes -> {});
    assertClean(audited);
    assertEquals(SampleLog.SEGMENTS, audited.vanished());
    assertEquals(List.of(), audited.partitions());
  }
}
