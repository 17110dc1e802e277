// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments of several leaders in one tiered storage, and beside a local log. */
class TieredOverlapTest {
  private static final int BATCHES = 30;
  private static final int RECORDS = 3;
  private static final long PRODUCER = 5;

  @TempDir private Path data;

  private Path partition(String broker) {
    return data.resolve(broker).resolve("orders-3");
  }

  /** Writes batches on the first leader, which rolls after each tenth. */
  private Path leader() throws IOException {
    Path partition = partition("leader");
    try (KafkaLog log = KafkaLog.open(partition)) {
      for (int i = 1; i <= BATCHES; i++) {
        log.idempotent(PRODUCER, RECORDS);
        if (i % 10 == 0) {
          log.roll();
        }
      }
      log.plain(1);
    }
    return partition;
  }

  /** Lets a follower fetch the batches before an offset. It rolls after each seventh. */
  private static void follow(KafkaLog log, Path leader, long end) throws IOException {
    int batches = 0;
    for (String name : List.of(segment(0), segment(30), segment(60))) {
      try (FileRecords file = FileRecords.open(leader.resolve(name).toFile(), false)) {
        for (FileChannelRecordBatch batch : file.batches()) {
          if (batch.lastOffset() >= end) {
            return;
          }
          ByteBuffer bytes = ByteBuffer.allocate(batch.sizeInBytes());
          batch.writeTo(bytes);
          log.kafka().appendAsFollower(MemoryRecords.readableRecords(bytes.flip()), 0);
          log.kafka().updateHighWatermark(log.kafka().logEndOffset());
          if (++batches % 7 == 0) {
            log.roll();
          }
        }
      }
    }
  }

  private static String segment(long base) {
    return String.format("%020d.log", base);
  }

  private static String name(TieredCopy copy, int segment) {
    return String.valueOf(copy.file(segment, "log").getFileName());
  }

  private Path store() {
    return data.resolve("store");
  }

  @Test
  void overlapsAreFindingsAfterALeaderChange() throws Exception {
    Path first = leader();
    Path second = partition("follower");
    try (KafkaLog log = KafkaLog.open(second)) {
      follow(log, first, 75);
      log.nextLeader().idempotent(8, 4).roll();
      log.plain(1);
    }
    TieredCopy before = TieredCopy.kafka(first, store());
    before.delete(2); // the first leader has uploaded offsets 0 to 59
    TieredCopy after = TieredCopy.kafka(second, store());
    after.delete(0);
    after.delete(1);
    Audited audit = TieredAudit.of(store());
    assertEquals(
        List.of("finding TIERED_SEGMENTS_OVERLAP " + name(after, 2) + "@0"), audit.faults());
    assertEquals(78, audit.partitions().get(0).lastOffset());
    assertEquals(2, audit.partitions().get(0).producers());
  }

  @Test
  void replacedBatchesAreFindingsAfterAnUncleanElection() throws Exception {
    Path first = leader();
    Path second = partition("follower");
    try (KafkaLog log = KafkaLog.open(second)) {
      follow(log, first, 75);
      log.nextLeader();
      for (int i = 0; i < 10; i++) {
        log.idempotent(9, 4);
      }
      log.roll();
      log.plain(1);
    }
    TieredCopy before = TieredCopy.kafka(first, store());
    TieredCopy after = TieredCopy.kafka(second, store());
    after.delete(0);
    after.delete(1);
    after.delete(2);
    Audited audit = TieredAudit.of(store());
    assertEquals(
        List.of(
            "finding TIERED_SEGMENT_SUPERSEDED " + name(before, 2),
            "finding TIERED_SEGMENTS_OVERLAP " + name(after, 3)),
        audit.faults().stream().map(each -> each.substring(0, each.indexOf('@'))).toList());
    assertEquals(114, audit.partitions().get(0).lastOffset());
    topicId(first, TieredCopy.TOPIC_ID);
    topicId(second, TieredCopy.TOPIC_ID);
    assertEquals(audit.faults(), TieredAudit.of(store(), first, second).faults());
    assertEquals(audit.faults(), TieredAudit.of(store(), second, first).faults());
  }

  /** The new leader has uploaded nothing, so the last tiered segment has no batch of the log. */
  @Test
  void aWhollyReplacedSegmentIsAFinding() throws Exception {
    Path first = leader();
    Path second = partition("follower");
    try (KafkaLog log = KafkaLog.open(second)) {
      follow(log, first, 45);
      log.nextLeader().idempotent(9, 4).plain(1);
    }
    TieredCopy before = TieredCopy.kafka(first, store());
    topicId(second, TieredCopy.TOPIC_ID);
    Audited audit = TieredAudit.of(store(), second);
    assertEquals(
        List.of(
            "finding TIERED_SEGMENT_SUPERSEDED " + name(before, 1),
            "finding TIERED_SEGMENT_SUPERSEDED " + name(before, 2)),
        audit.faults().stream().map(each -> each.substring(0, each.indexOf('@'))).toList());
  }

  @Test
  void otherBatchesOfTheSameLeaderAreAFault() throws Exception {
    Path first = leader();
    Path second = partition("other");
    try (KafkaLog log = KafkaLog.open(second)) {
      log.plain(50).roll();
      log.plain(4).plain(4).plain(4).plain(4).roll();
      log.plain(1);
    }
    TieredCopy before = TieredCopy.kafka(first, store());
    before.delete(2);
    TieredCopy after = TieredCopy.kafka(second, store());
    after.delete(0);
    Audited audit = TieredAudit.of(store());
    assertEquals(
        List.of("TIERED_SEGMENTS_CONFLICT " + name(after, 1)),
        audit.faults().stream().map(each -> each.substring(0, each.indexOf('@'))).toList());
  }

  /** The batches have the same borders, but other producers. */
  @Test
  void otherContentOfTheSameLeaderIsAFault() throws Exception {
    Path first = leader();
    Path second = partition("other");
    try (KafkaLog log = KafkaLog.open(second)) {
      log.plain(45).roll();
      for (int i = 0; i < 5; i++) {
        log.idempotent(PRODUCER, RECORDS);
      }
      log.roll();
      log.plain(1);
    }
    TieredCopy before = TieredCopy.kafka(first, store());
    before.delete(2);
    TieredCopy after = TieredCopy.kafka(second, store());
    after.delete(0);
    Audited audit = TieredAudit.of(store());
    assertEquals(List.of("TIERED_SEGMENTS_CONFLICT " + name(after, 1) + "@0"), audit.faults());
  }

  @Test
  void aGapBeforeTheLocalLogIsAFault() throws Exception {
    Path local = leader();
    TieredCopy copy = TieredCopy.kafka(local, store());
    copy.delete(2);
    Files.delete(local.resolve(segment(0)));
    Files.delete(local.resolve(segment(30)));
    assertEquals(List.of(), metadata(local, TieredCopy.TOPIC_ID).faults());
    Files.delete(local.resolve(segment(60)));
    String name = String.valueOf(copy.directory().getFileName());
    Audited gap = metadata(local, TieredCopy.TOPIC_ID);
    assertEquals(List.of("TIERED_LOCAL_GAP " + name + "@0"), gap.faults());
    assertEquals(
        List.of("finding TIERED_TOPIC_ID_MISMATCH " + name + "@0"),
        metadata(local, "AAAAAAAAAAAAAAAAAAAAAQ").faults());
  }

  @Test
  void theLatestStartOfSeveralBrokersCounts() throws Exception {
    Path first = leader();
    TieredCopy copy = TieredCopy.kafka(first, store());
    copy.delete(2);
    topicId(first, TieredCopy.TOPIC_ID);
    Path second = partition("follower");
    Files.createDirectory(data.resolve("follower"));
    StoredLog.copy(first, second);
    for (int base : List.of(0, 30, 60)) {
      Files.delete(second.resolve(segment(base)));
    }
    List<String> gap = List.of("TIERED_LOCAL_GAP " + copy.directory().getFileName() + "@0");
    assertEquals(gap, TieredAudit.of(store(), first, second).faults());
    assertEquals(gap, TieredAudit.of(store(), second, first).faults());
  }

  private Audited metadata(Path local, String topicId) throws Exception {
    topicId(local, topicId);
    return TieredAudit.of(store(), local);
  }

  private static void topicId(Path local, String topicId) throws IOException {
    Files.writeString(
        local.resolve("partition.metadata"), "version: 0\ntopic_id: " + topicId + "\n");
  }
}
