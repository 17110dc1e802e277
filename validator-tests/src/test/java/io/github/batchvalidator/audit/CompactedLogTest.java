// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that Kafka's own cleaner has compacted. */
class CompactedLogTest {
  static final Map<String, String> COMPACT =
      Map.of("cleanup.policy", "compact", "delete.retention.ms", "0");

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int KEYS = 20;

  /** The fields of an entry of a transaction index. */
  private static final int TXN_PRODUCER = 2;

  private static final int TXN_FIRST = TXN_PRODUCER + Long.BYTES;
  private static final int TXN_LAST = TXN_FIRST + Long.BYTES;

  @TempDir private Path data;

  /** Compacts all segments but the active one, and merges small ones. */
  static void clean(KafkaLog log) throws IOException, GeneralSecurityException {
    Cleaner cleaner =
        new Cleaner(
            0,
            new SkimpyOffsetMap(BUFFER_BYTES),
            BUFFER_BYTES,
            BUFFER_BYTES,
            0.75,
            new Throttler(Double.MAX_VALUE, Long.MAX_VALUE, "throttler", "bytes", Time.SYSTEM),
            Time.SYSTEM,
            partition -> {});
    long end = log.kafka().activeSegment().baseOffset();
    cleaner.clean(new LogToClean(log.kafka(), 0, end, true));
  }

  /** Writes segments in which some batches lose some of their records. */
  static Path write(Path data) throws Exception {
    Path directory = data.resolve("orders-3");
    try (KafkaLog log = KafkaLog.open(directory, COMPACT)) {
      log.keys(KEYS);
      for (int i = 0; i < 4; i++) {
        for (Codec codec : Codec.values()) {
          log.codec(codec).plain(13).idempotent(1, 3).transactional(2, 5).plain(1).commit(2);
          log.transactional(3, 2).idempotent(1, 2).abort(3).transactional(4, 1);
        }
        log.commit(4).nextLeader();
        log.roll();
      }
      log.codec(Codec.NONE).transactional(3, 1).roll();
      clean(log);
      log.plain(3).idempotent(1, 4).abort(3).transactional(4, 2);
    }
    return directory;
  }

  /** Writes segments in which batches vanish as a whole, which no batch shows. */
  private Path writeSingleRecords(String name) throws Exception {
    Path directory = data.resolve(name);
    try (KafkaLog log = KafkaLog.open(directory, COMPACT)) {
      log.keys(KEYS);
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < KEYS; k++) {
          log.plain(1);
        }
        log.roll();
      }
      clean(log);
      log.plain(1);
    }
    return directory;
  }

  /** Returns the first segment with a transaction index that has entries. */
  private static int indexed(StoredLog log) throws IOException {
    int segment = 0;
    while (!Files.exists(log.file(segment, ".txnindex"))
        || Files.size(log.file(segment, ".txnindex")) == 0) {
      segment++;
    }
    return segment;
  }

  private static Set<String> reasons(Audited audited) {
    return audited.faults().stream()
        .map(each -> each.substring(0, each.indexOf(' ')))
        .collect(Collectors.toSet());
  }

  @Test
  void aCompactedLogIsCleanAndDetectedByRecordCounts() throws Exception {
    Audited audited = Audited.of(write(data));
    assertEquals(List.of(), audited.messages());
    assertTrue(audited.partition().compacted());
    assertEquals(2, audited.files().size(), "the cleaner has merged the segments");
    assertTrue(audited.files().get(0).tally().batches() > 10);
  }

  @Test
  void gapsAloneAreFaultsUntilSomethingShowsTheCompaction() throws Exception {
    Audited audited = Audited.of(writeSingleRecords("orders-3"));
    assertFalse(audited.partition().compacted());
    assertEquals(Set.of("PARTITION_OFFSETS_MISSING"), reasons(audited));
    assertEquals(List.of(), Audited.of(data, true).messages());
    OffsetCheckpointFile file =
        new OffsetCheckpointFile(data.resolve("cleaner-offset-checkpoint").toFile(), null);
    file.write(Map.of(new TopicPartition("orders", 3), 40L));
    Audited known = Audited.of(data);
    assertEquals(List.of(), known.messages());
    assertTrue(known.partition().compacted());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0\n1\norders 13 40\n", "0\n1\norders-3 0 40\n", "0\n1\norder 3 40\n"})
  void checkpointOfOtherPartitionsSaysNothing(String checkpoint) throws Exception {
    Path directory = writeSingleRecords("orders-3");
    Files.writeString(data.resolve("cleaner-offset-checkpoint"), checkpoint);
    assertEquals(Set.of("PARTITION_OFFSETS_MISSING"), reasons(Audited.of(directory)));
  }

  /** Whether compaction has removed the offsets is unknown. */
  @Test
  void aCheckpointThatCannotBeReadIsAnErrorAndNoFault() throws Exception {
    Path directory = writeSingleRecords("orders-3");
    Path checkpoint = data.resolve("cleaner-offset-checkpoint");
    Files.createSymbolicLink(checkpoint, checkpoint);
    Audited audited = Audited.of(directory);
    assertEquals(List.of(), audited.messages());
    assertEquals(1, audited.errors().size(), audited.errors()::toString);
    String error = audited.errors().get(0);
    assertTrue(error.startsWith("orders-3: ") && error.contains(checkpoint + ": "), error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"__consumer_offsets-49", "__transaction_state-0"})
  void someTopicsAreAlwaysCompacted(String name) throws Exception {
    Audited audited = Audited.of(writeSingleRecords(name));
    assertEquals(List.of(), audited.messages());
    assertTrue(audited.partition().compacted());
  }

  /** Kafka creates it with {@code cleanup.policy=delete} (KIP-932). */
  @Test
  void theStateOfShareGroupsIsNotCompacted() throws Exception {
    Audited audited = Audited.of(writeSingleRecords("__share_group_state-0"));
    assertFalse(audited.partition().compacted());
    assertEquals(Set.of("PARTITION_OFFSETS_MISSING"), reasons(audited));
  }

  /** Changes a field of the first entry that Kafka's cleaner has kept, and returns the faults. */
  private List<String> changedEntry(StoredLog log, int field, LongUnaryOperator change)
      throws Exception {
    int segment = indexed(log);
    Path index = log.file(segment, ".txnindex");
    log.edit(index, all -> all.putLong(field, change.applyAsLong(all.getLong(field))));
    String entry = log.at(segment, ".txnindex", 0);
    return Audited.of(data, true).faults().stream()
        .map(each -> each.replace(entry, "first entry"))
        .toList();
  }

  @Test
  void theProducerOfAMarkerIsComparedWithTheTransactionIndex() throws Exception {
    StoredLog log = new StoredLog(write(data));
    assertEquals(
        List.of("TXNINDEX_ENTRY_MISMATCH first entry"),
        changedEntry(log, TXN_PRODUCER, producer -> producer + 100));
  }

  @Test
  void aTransactionDoesNotStartAfterItsMarker() throws Exception {
    StoredLog log = new StoredLog(write(data));
    assertEquals(
        List.of("TXNINDEX_ENTRY_MISMATCH first entry"),
        changedEntry(log, TXN_FIRST, first -> first + 10_000));
  }

  @Test
  void anEntryInsideADataBatchIsUnknown() throws Exception {
    StoredLog log = new StoredLog(write(data));
    long inside = log.batches(indexed(log)).get(0).base();
    assertEquals(
        List.of("TXNINDEX_ENTRY_UNKNOWN first entry"), changedEntry(log, TXN_LAST, last -> inside));
  }

  /** Compaction excuses gaps and nothing else. */
  @Test
  void otherFaultsAreStillFound() throws Exception {
    Path directory = write(data);
    StoredLog log = new StoredLog(directory);
    log.edit(log.file(0, ".index"), all -> all.putInt(4, all.getInt(4) + 1));
    log.edit(log.file(0, ".timeindex"), all -> all.putLong(0, all.getLong(0) + 1));
    StoredLog.Batch batch = log.batches(1).get(0);
    log.append(log.file(0, ".log"), log.bytes(1, batch));
    assertEquals(
        Set.of(
            "TIMEINDEX_TIMESTAMP_MISMATCH " + log.at(0, ".timeindex", 0),
            "INDEX_POSITION_INVALID " + log.at(0, ".index", 0),
            "PARTITION_SEGMENTS_OVERLAP " + log.at(1, ".log", 0)),
        Set.copyOf(Audited.of(directory).faults()));
  }
}
