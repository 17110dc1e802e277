// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions as Kafka's own log classes write them have no faults. */
class CleanLogTest {
  @TempDir private Path data;

  @Test
  void nothingIsFoundAndTheCountsAreThoseOfKafka() throws Exception {
    Audited audited = Audited.of(SampleLog.write(data));
    assertEquals(List.of(), audited.messages());
    assertEquals(List.of(), audited.errors());
    assertEquals(SampleLog.SEGMENTS, audited.files().size());
    for (FileSummary file : audited.files()) {
      assertEquals(KafkaCounts.of(Path.of(file.name())), KafkaCounts.of(file));
    }
  }

  @Test
  void transactionsAreCounted() throws Exception {
    PartitionSummary partition = Audited.of(SampleLog.write(data)).partition();
    assertEquals("orders", partition.topic());
    assertEquals(SampleLog.SEGMENTS, partition.segments());
    assertEquals(0, partition.firstOffset());
    assertEquals(251, partition.lastOffset());
    assertEquals(5, partition.producers());
    assertEquals(8, partition.committedTransactions());
    assertEquals(5, partition.abortedTransactions());
    assertEquals(1, partition.emptyMarkers());
    assertEquals(2, partition.openTransactions());
    assertEquals(234, partition.firstOpenOffset());
    assertFalse(partition.compacted());
  }

  /** A coordinator starts each of its batches at sequence 0, and Kafka does not compare them. */
  @Test
  void offsetsAreCommittedInTransactions() throws Exception {
    try (KafkaLog log = KafkaLog.open(data.resolve("__consumer_offsets-3"))) {
      for (int i = 0; i < 3; i++) {
        log.coordinated(log.sequence(7, 0).transaction(7, 1));
        log.coordinated(log.sequence(7, 0).transaction(7, 2));
        log.commit(7);
      }
    }
    assertClean();
  }

  /** Retention deletes segments, so transactions and sequence numbers start in the middle. */
  @ParameterizedTest
  @CsvSource({
    "1, true",
    "1, false",
    "2, true",
    "2, false",
    "3, true",
    "3, false",
    "4, true",
    "4, false"
  })
  void earlierSegmentsAreDeleted(int deleted, boolean hasSnapshots) throws Exception {
    StoredLog log = new StoredLog(SampleLog.write(data));
    for (int i = 0; i < deleted; i++) {
      log.delete(0);
    }
    if (!hasSnapshots) {
      log.deleteSnapshots();
    }
    assertClean();
  }

  /** A deletion of records ends inside a segment, and changes the checkpoint of leader epochs. */
  @ParameterizedTest
  @ValueSource(longs = {1, 80, 130, 145, 200, 240})
  void earlierRecordsAreDeleted(long offset) throws Exception {
    Path directory = SampleLog.write(data);
    try (KafkaLog log = KafkaLog.open(directory)) {
      log.kafka().updateHighWatermark(log.kafka().logEndOffset());
      log.kafka()
          .maybeIncrementLogStartOffset(offset, LogStartOffsetIncrementReason.ClientRecordDeletion);
      log.kafka().deleteOldSegments();
    }
    assertClean();
  }

  /** A broker deletes entries of deleted offsets, which may still be in the first segment. */
  @ParameterizedTest
  @ValueSource(strings = {"0\n3\n1 80\n3 143\n4 234\n", "0\n1\n4 234\n", "0\n0\n"})
  void earlierLeaderEpochsAreDeleted(String checkpoint) throws Exception {
    StoredLog log = new StoredLog(SampleLog.write(data));
    Files.writeString(log.file("leader-epoch-checkpoint"), checkpoint);
    assertClean();
  }

  /** Indexes of an open log have zeros that Kafka writes in advance. */
  @Test
  void logIsOpen() throws Exception {
    Path directory = SampleLog.write(data);
    Path copy = data.resolve("copy");
    Files.createDirectories(copy);
    try (KafkaLog log = KafkaLog.open(directory)) {
      log.plain(3).plain(3).plain(3).plain(3);
      StoredLog.copy(directory, copy.resolve("orders-3"));
    }
    assertTrue(Files.size(copy.resolve("orders-3/00000000000000000234.index")) > 1 << 20);
    assertEquals(List.of(), Audited.of(copy).messages());
  }

  /** An index has zeros for timestamp 0 at the first offset. */
  @Test
  void theFirstTimestampIs0() throws Exception {
    Path directory = data.resolve("orders-3");
    SimpleRecord record = new SimpleRecord(0, new byte[3], new byte[400]);
    Map<String, String> neverByTime = Map.of("segment.ms", Long.toString(Long.MAX_VALUE));
    try (KafkaLog log = KafkaLog.open(directory, neverByTime)) {
      for (int i = 0; i < 2; i++) {
        log.fetched(MemoryRecords.withRecords(Compression.NONE, record));
      }
      log.plain(3).plain(3).plain(3).plain(3).roll().plain(1);
    }
    byte[] index = Files.readAllBytes(new StoredLog(directory).file(0, ".timeindex"));
    byte[] first = Arrays.copyOf(index, StoredLog.TIME_INDEX_ENTRY);
    assertArrayEquals(new byte[StoredLog.TIME_INDEX_ENTRY], first);
    assertTrue(index.length > first.length);
    assertClean();
  }

  /** Kafka's recovery rebuilds indexes and producer snapshots, batch by batch. */
  @Test
  void logIsRecovered() throws Exception {
    StoredLog log = new StoredLog(SampleLog.write(data));
    for (int i = 0; i < SampleLog.SEGMENTS; i++) {
      log.deleteIndexes(i);
    }
    log.deleteSnapshots();
    KafkaLog.recover(log.directory()).close();
    assertTrue(Files.exists(log.file(1, ".txnindex")));
    assertClean();
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 77, 133, 158, 199, 239})
  void logIsTruncated(long offset) throws Exception {
    Path directory = SampleLog.write(data);
    try (KafkaLog log = KafkaLog.open(directory)) {
      log.kafka().truncateTo(offset);
      log.plain(3).plain(3).plain(3).plain(3).roll().plain(3);
    }
    assertClean();
  }

  private void assertClean() throws Exception {
    Audited audited = Audited.of(data);
    assertEquals(List.of(), audited.messages());
    assertEquals(List.of(), audited.errors());
    assertEquals(1, audited.partitions().size());
  }

  /** The counts of Kafka's reader and of an audit, for one segment. */
  private record KafkaCounts(
      long bytes, long batches, long records, long control, long first, long last) {
    static KafkaCounts of(FileSummary file) {
      return new KafkaCounts(
          file.bytes(),
          file.tally().batches(),
          file.tally().records(),
          file.tally().controlBatches(),
          file.firstOffset(),
          file.lastOffset());
    }

    static KafkaCounts of(Path segment) throws Exception {
      long batches = 0;
      long records = 0;
      long control = 0;
      long first = -1;
      long last = -1;
      try (FileRecords file = FileRecords.open(segment.toFile(), false)) {
        for (FileChannelRecordBatch batch : file.batches()) {
          batches++;
          control += batch.isControlBatch() ? 1 : 0;
          first = first < 0 ? batch.baseOffset() : first;
          last = batch.lastOffset();
          for (Record record : batch) {
            record.ensureValid();
            records++;
          }
        }
        return new KafkaCounts(file.sizeInBytes(), batches, records, control, first, last);
      }
    }
  }
}
