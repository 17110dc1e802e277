// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.HeaderField;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that Kafka's own cleaner has compacted, one of them more often than the other. */
class CompactedCompareTest {
  private static final String PARTITION = "orders-3";
  private static final int KEYS = 20;

  @TempDir private Path data;

  /** Writes the same batches to two logs. Cleans both once, and the second again. */
  @BeforeEach
  void write() throws Exception {
    write(data.resolve("a"), false);
    write(data.resolve("b"), true);
  }

  static void write(Path copy, boolean cleansTwice) throws Exception {
    try (KafkaLog log = KafkaLog.open(copy.resolve(PARTITION), CompactedLogTest.COMPACT)) {
      log.keys(KEYS);
      for (int i = 0; i < 2; i++) {
        segments(log);
        if (i == 0 || cleansTwice) {
          CompactedLogTest.clean(log);
        }
      }
      log.plain(3).idempotent(1, 4).codec(Codec.NONE).plain(5).transactional(4, 2);
      Files.writeString(
          copy.resolve("replication-offset-checkpoint"),
          "0\n1\norders 3 " + log.kafka().logEndOffset() + "\n");
      Files.writeString(
          copy.resolve("cleaner-offset-checkpoint"),
          "0\n1\norders 3 " + log.kafka().activeSegment().baseOffset() + "\n");
    }
  }

  private static void segments(KafkaLog log) throws Exception {
    for (Codec codec : Codec.values()) {
      log.codec(codec).plain(13).idempotent(1, 3).transactional(2, 5).plain(1).commit(2);
      log.transactional(3, 2).idempotent(1, 2).abort(3).transactional(4, 1);
    }
    log.codec(Codec.NONE).plain(13).commit(4).nextLeader().roll();
  }

  private StoredLog log(String copy) {
    return new StoredLog(data.resolve(copy).resolve(PARTITION));
  }

  private Compared compare() {
    return Compared.of(false, data.resolve("a"), data.resolve("b"));
  }

  private int last(String copy) throws Exception {
    return log(copy).bases().size() - 1;
  }

  @Test
  void copiesThatWereCompactedDifferentlyAreEqual() throws Exception {
    Compared compared = compare();
    assertEquals(List.of(), compared.differences(), () -> compared.messages().toString());
    assertEquals(List.of(), compared.errors());
    PartitionComparison result = compared.partition();
    assertTrue(result.compacted());
    assertTrue(result.partialRecords() > 0, result::toString);
    assertEquals(0, result.incomparableBatches());
    assertTrue(result.batches() > 30, result::toString);
  }

  @Test
  void aCompactionIsFoundInTheBatches() throws Exception {
    for (String copy : List.of("a", "b")) {
      Files.delete(data.resolve(copy).resolve("cleaner-offset-checkpoint"));
    }
    Compared compared = compare();
    assertEquals(List.of(), compared.differences(), () -> compared.messages().toString());
    assertTrue(compared.partition().compacted());
  }

  @Test
  void aBatchThatIsMissingMayBeCompacted() throws Exception {
    log("b").cut(0, log("b").batches(0).get(1));
    assertEquals(List.of(), compare().differences());
  }

  @Test
  void aBatchThatIsMissingInTheLastSegmentIsADifference() throws Exception {
    Batch batch = log("b").batches(last("b")).get(1);
    log("b").cut(last("b"), batch);
    assertEquals(Divergence.at("COPY_OFFSETS_MISSING", batch, "sm"), compare().differences());
  }

  /** The cleaner leaves the last segment, so it cannot have removed all of them. */
  @Test
  void allSegmentsOfACopyThatAreMissingAreADifference() throws Exception {
    for (int i = last("b"); i >= 0; i--) {
      log("b").delete(i);
    }
    Files.writeString(data.resolve("b").resolve("cleaner-offset-checkpoint"), "0\n1\norders 3 0\n");
    Compared compared = compare();
    assertEquals(List.of(), compared.errors());
    List<String> found = compared.differences();
    assertFalse(found.isEmpty());
    for (String each : found) {
      assertTrue(each.matches("COPY_OFFSETS_MISSING \\d+-\\d+ sm"), each);
    }
  }

  /** Changes a batch without a codec in the first segment, of which one copy has fewer records. */
  private Batch change(Consumer<ByteBuffer> change) throws Exception {
    Batch batch = uncompressed();
    log("b").editBatch(0, batch, change);
    return batch;
  }

  private Batch uncompressed() throws Exception {
    StoredLog log = log("b");
    for (Batch batch : log.batches(0)) {
      ByteBuffer bytes = ByteBuffer.wrap(log.bytes(0, batch));
      boolean isPlain = (HeaderField.ATTRIBUTES.get(bytes) & 0x27) == 0;
      if (isPlain && HeaderField.RECORD_COUNT.get(bytes) > 0 && hasPartner(batch)) {
        return batch;
      }
    }
    throw new AssertionError("no batch without a codec");
  }

  private boolean hasPartner(Batch batch) throws Exception {
    StoredLog other = log("a");
    for (int i = 0; i < other.bases().size(); i++) {
      if (other.batches(i).stream().anyMatch(each -> each.base() == batch.base())) {
        return true;
      }
    }
    return false;
  }

  private void assertDifference(String reason, String states, Batch batch) {
    Compared compared = compare();
    assertEquals(
        Divergence.at(reason, batch, states),
        compared.differences(),
        () -> compared.messages().toString());
  }

  @Test
  void aValueThatDiffersIsFound() throws Exception {
    Batch batch = change(all -> all.put(all.limit() - 2, (byte) (all.get(all.limit() - 2) ^ 1)));
    assertDifference("COPY_RECORDS_DIFFER", "ss", batch);
    assertTrue(compare().messages().get(0).contains(" differs in: value"));
  }

  @Test
  void aProducerThatDiffersIsFound() throws Exception {
    Batch batch = change(all -> HeaderField.PRODUCER_ID.set(all, 77));
    assertDifference("COPY_RECORDS_DIFFER", "ss", batch);
    assertTrue(compare().messages().get(0).contains("different headers: producer id"));
  }

  @Test
  void timestampsThatDifferAreFound() throws Exception {
    Batch batch =
        change(
            all -> {
              HeaderField.BASE_TIMESTAMP.set(all, HeaderField.BASE_TIMESTAMP.get(all) + 5);
              HeaderField.MAX_TIMESTAMP.set(all, HeaderField.MAX_TIMESTAMP.get(all) + 5);
            });
    assertDifference("COPY_RECORDS_DIFFER", "ss", batch);
    assertTrue(compare().messages().get(0).contains(" differs in: timestamp"));
  }

  @Test
  void aLeaderEpochThatDiffersIsFound() throws Exception {
    Batch batch = change(all -> HeaderField.PARTITION_LEADER_EPOCH.set(all, 9));
    assertDifference("COPY_RECORDS_DIFFER", "ss", batch);
  }

  @Test
  void aDamagedBatchIsNamedAsDamaged() throws Exception {
    Batch batch = uncompressed();
    log("b").edit(log("b").file(0, ".log"), all -> all.put(batch.position() + 70, (byte) 0x55));
    assertDifference("COPY_DAMAGED", "sd", batch);
  }
}
