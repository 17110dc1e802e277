// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.tiered.AuditingStorageManager;
import io.github.batchvalidator.tiered.ClosedSegment;
import io.github.batchvalidator.tiered.FakeManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sound segments are uploaded. */
class UploadCleanTest {
  @TempDir private Path data;

  private final FakeManager.Calls calls = new FakeManager.Calls();

  /** Uploads all closed segments of a partition, and returns how many there were. */
  private int upload(Path partition) throws IOException, RemoteStorageException {
    List<ClosedSegment> segments = ClosedSegment.list(partition);
    try (AuditingStorageManager manager = new AuditingStorageManager()) {
      manager.configure(FakeManager.settings(calls, "enforce"));
      calls.all().clear();
      for (ClosedSegment each : segments) {
        manager.copyLogSegmentData(each.metadata(), each.data(partition));
      }
      assertEquals(segments.size(), calls.all().size());
    }
    return segments.size();
  }

  @Test
  void segmentsOfAllCodecsWithTransactionsAreUploaded() throws Exception {
    assertEquals(SampleLog.SEGMENTS - 1, upload(SampleLog.write(data)));
  }

  @Test
  void segmentsWithoutTheSnapshotBeforeThemAreUploaded() throws Exception {
    Path partition = SampleLog.write(data);
    List<ClosedSegment> segments = ClosedSegment.list(partition);
    ClosedSegment last = segments.get(segments.size() - 1);
    for (ClosedSegment each : segments) {
      if (!each.equals(last)) {
        Files.delete(each.file(partition, "snapshot"));
      }
    }
    try (AuditingStorageManager manager = new AuditingStorageManager()) {
      manager.configure(FakeManager.settings(calls, "enforce"));
      manager.copyLogSegmentData(last.metadata(), last.data(partition));
    }
  }

  /** The snapshot has the producer without its last sequence number. */
  @Test
  void aSegmentWithAMarkerOfAForgottenProducerIsUploaded() throws Exception {
    Path partition = data.resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(partition)) {
      log.transactional(7, 2).commit(7).roll();
      log.forgetProducers().abort(7).roll().plain(1);
    }
    assertEquals(2, upload(partition));
  }

  /** It was uploaded with the segment before, which may have been years ago. */
  @Test
  void aDamagedSnapshotBeforeTheSegmentRefusesNothing() throws Exception {
    Path partition = SampleLog.write(data);
    List<ClosedSegment> segments = ClosedSegment.list(partition);
    Files.write(segments.get(1).file(partition, "snapshot"), new byte[20]);
    ClosedSegment after = segments.get(2);
    try (AuditingStorageManager manager = new AuditingStorageManager()) {
      manager.configure(FakeManager.settings(calls, "enforce"));
      manager.copyLogSegmentData(after.metadata(), after.data(partition));
    }
  }

  @Test
  void segmentsThatWereCompactedBeforeTheTopicWasTieredAreUploaded() throws Exception {
    assertTrue(upload(CompactedLogTest.write(data)) > 0);
  }

  /** No batch shows that others between them are gone. */
  @Test
  void theCheckpointOfTheCleanerExcusesMissingOffsets() throws Exception {
    Path partition = data.resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(partition, CompactedLogTest.COMPACT)) {
      log.keys(3);
      for (int i = 0; i < 30; i++) {
        log.plain(1);
      }
      log.roll();
      CompactedLogTest.clean(log);
      log.plain(1);
    }
    assertThrows(RemoteStorageException.class, () -> upload(partition));
    writeCleanerCheckpoint();
    assertEquals(1, upload(partition));
  }

  /** The metadata has the offset before the next segment, whatever compaction has removed. */
  @Test
  void theCheckpointOfTheCleanerExcusesAMissingTail() throws Exception {
    Path partition = data.resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(partition)) {
      log.plain(30).roll().plain(1);
    }
    for (String suffix : List.of(".log", ".snapshot")) {
      Files.move(
          partition.resolve(StoredLog.fileName(30, suffix)),
          partition.resolve(StoredLog.fileName(40, suffix)));
    }
    assertThrows(RemoteStorageException.class, () -> upload(partition));
    writeCleanerCheckpoint();
    assertEquals(1, upload(partition));
  }

  private void writeCleanerCheckpoint() throws IOException {
    OffsetCheckpointFile file =
        new OffsetCheckpointFile(data.resolve("cleaner-offset-checkpoint").toFile(), null);
    file.write(Map.of(new TopicPartition("orders", 3), 30L));
  }

  /** Brokers of 4.x no longer write these, and still tier them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void segmentsOfOldMagicAreUploaded(int magic) throws Exception {
    Path partition = data.resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(partition)) {
      log.plain(2).roll().plain(1);
    }
    ClosedSegment segment = ClosedSegment.list(partition).get(0);
    LegacyMessage wrapped = LegacyMessage.of(magic).offset(1);
    Files.write(
        segment.file(partition, "log"),
        LegacyMessage.join(
            LegacyMessage.of(magic), LegacyMessage.holding(magic, Codec.GZIP, wrapped).offset(1)));
    for (String suffix : List.of("index", "timeindex")) {
      Files.write(segment.file(partition, suffix), new byte[0]);
    }
    assertEquals(1, upload(partition));
  }
}
