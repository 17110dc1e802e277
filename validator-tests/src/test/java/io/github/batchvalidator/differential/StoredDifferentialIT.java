// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch that lies in a log is accepted if Kafka's full reader can read it. */
final class StoredDifferentialIT {
  /** Ours alone: Kafka's reader compares offsets and timestamps with nothing. */
  private static final Set<Reason> NOT_KAFKAS =
      EnumSet.of(
          Reason.RECORD_OFFSET_OUT_OF_ORDER,
          Reason.BATCH_MAX_TIMESTAMP_MISMATCH,
          Reason.BATCH_OFFSET_RANGE_INVALID);

  private final Referee referee = new Referee();

  @AfterEach
  @AfterProperty
  void close() {
    referee.close();
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return RecordArbitraries.codecs();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> records() {
    return RecordArbitraries.recordLists();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> fewRecords() {
    return RecordArbitraries.fewRecords();
  }

  @Provide
  Arbitrary<Map<HeaderField, Long>> fields() {
    return Arbitraries.maps(Arbitraries.of(HeaderField.class), RecordArbitraries.fieldValues())
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  @Property
  void honestBatches(
      @ForAll("codecs") Codec codec,
      @ForAll("records") List<SimpleRecord> records,
      @ForAll long baseOffset) {
    ByteBuffer batch = HeaderField.BASE_OFFSET.set(Batches.ofAny(codec, records), baseOffset);
    if (records.isEmpty()) {
      Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, 3));
    }
    assertReadable(Batches.copy(batch).array());
  }

  @Property
  void damagedHeaders(
      @ForAll("codecs") Codec codec,
      @ForAll("fewRecords") List<SimpleRecord> records,
      @ForAll("fields") Map<HeaderField, Long> fields) {
    ByteBuffer batch = Batches.ofAny(codec, records);
    fields.forEach((field, value) -> field.set(batch, value));
    byte[] bytes = (fields.containsKey(HeaderField.CRC) ? batch : Batches.fixCrc(batch)).array();
    Verdict ours = referee.inspect(bytes, Policy.STORED);
    Throwable theirs = referee.kafka.readAll(bytes);
    boolean agree = ours.accepted() == (theirs == null) || NOT_KAFKAS.contains(ours.reason());
    assertTrue(agree, () -> ours + "; Kafka's: " + theirs + "; " + Batches.base64(bytes));
  }

  /** Messages of magic 0 and 1: the offset of a compressed one is that of the last in it. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"NONE", "GZIP", "SNAPPY", "LZ4"})
  void oldMessages(Codec codec) {
    for (int magic = 0; magic <= 1; magic++) {
      LegacyMessage[] inner = LegacyMessage.several(magic, 3);
      for (int i = 0; i < inner.length; i++) {
        inner[i].offset(magic == 0 ? 100 + 2L * i : 2L * i);
      }
      LegacyMessage message =
          codec == Codec.NONE ? inner[0] : LegacyMessage.holding(magic, codec, inner);
      byte[] batch = message.offset(104).toBytes();
      assertReadable(batch);
      assertFalse(referee.inspect(batch, Policy.STORED).needsRebuild());
      batch[batch.length - 1]++;
      assertEquals(Reason.BATCH_CRC_MISMATCH, referee.inspect(batch, Policy.STORED).reason());
      assertNotNull(referee.kafka.readAll(batch));
    }
  }

  /** Faults in old messages that Kafka's reader does not check. */
  @Test
  void oldMessagesThatKafkaReads() {
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[1].crcError(1);
    assertRefused(
        Reason.RECORD_CRC_MISMATCH, LegacyMessage.holding(1, Codec.GZIP, inner).toBytes());
    inner[1].crcError(0).magicByte(0);
    assertRefused(
        Reason.RECORD_MAGIC_MISMATCH, LegacyMessage.holding(1, Codec.GZIP, inner).toBytes());
    inner[1].magicByte(1).offset(0);
    assertRefused(
        Reason.RECORD_OFFSET_OUT_OF_ORDER, LegacyMessage.holding(1, Codec.GZIP, inner).toBytes());
    LegacyMessage[] absolute = LegacyMessage.several(0, 3);
    assertRefused(
        Reason.RECORD_OFFSET_OUT_OF_ORDER,
        LegacyMessage.holding(0, Codec.GZIP, absolute).offset(1).toBytes());
  }

  private void assertReadable(byte[] batch) {
    Verdict ours = referee.inspect(batch, Policy.STORED);
    Throwable theirs = referee.kafka.readAll(batch);
    assertTrue(
        ours.accepted() && theirs == null,
        () -> ours + "; Kafka's: " + theirs + "; " + Batches.base64(batch));
  }

  private void assertRefused(Reason reason, byte[] batch) {
    assertEquals(reason, referee.inspect(batch, Policy.STORED).reason());
    assertNull(referee.kafka.readAll(batch), "Kafka has no such rule");
  }

  private static byte[] withDeltas(Codec codec, int lastOffsetDelta, int... deltas) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int delta : deltas) {
      plain.writeBytes(new RecordBytes().offsetDelta(RecordBytes.varint(delta, 1)).toBytes());
    }
    ByteBuffer batch = Batches.ofPlain(codec, deltas.length, plain.toByteArray());
    HeaderField.BASE_OFFSET.set(batch, 1_000_000);
    return Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, lastOffsetDelta)).array();
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void compactionGaps(Codec codec) {
    assertReadable(withDeltas(codec, 9, 0, 1, 5));
    assertReadable(withDeltas(codec, 5, 2, 5));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void offsetsOutOfOrder(Codec codec) {
    assertRefused(Reason.RECORD_OFFSET_OUT_OF_ORDER, withDeltas(codec, 5, 0, 3, 2));
    assertRefused(Reason.RECORD_OFFSET_OUT_OF_ORDER, withDeltas(codec, 5, 0, 0));
    assertRefused(Reason.RECORD_OFFSET_OUT_OF_ORDER, withDeltas(codec, 5, -1, 1));
    assertRefused(Reason.RECORD_OFFSET_OUT_OF_ORDER, withDeltas(codec, 1, 0, 2));
    assertEquals(2, referee.inspect(withDeltas(codec, 5, 0, 3, 2), Policy.STORED).recordIndex());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void maxTimestampMismatch(Codec codec) {
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), new byte[3]);
    ByteBuffer batch =
        Batches.fixCrc(
            HeaderField.MAX_TIMESTAMP.set(Batches.of(codec, record), Batches.nowMs() + 1));
    assertRefused(Reason.BATCH_MAX_TIMESTAMP_MISMATCH, Batches.copy(batch).array());
    // with the broker's timestamp type the field is the records' timestamp
    HeaderField.ATTRIBUTES.set(batch, codec.id() | BatchLayout.TIMESTAMP_TYPE_MASK);
    assertReadable(Batches.copy(Batches.fixCrc(batch)).array());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void emptyBatches(Codec codec) {
    ByteBuffer bytes = ByteBuffer.allocate(BatchLayout.HEADER_BYTES);
    DefaultRecordBatch.writeEmptyHeader(
        bytes,
        RecordBatch.MAGIC_VALUE_V2,
        7,
        (short) 1,
        0,
        500,
        510,
        3,
        TimestampType.CREATE_TIME,
        Batches.nowMs(),
        false,
        false);
    assertReadable(bytes.array());
    assertReadable(withDeltas(codec, 4));
  }

  @Test
  void controlBatches() {
    MemoryRecords marker =
        MemoryRecords.withEndTransactionMarker(
            500,
            Batches.nowMs(),
            3,
            7,
            (short) 1,
            new EndTransactionMarker(ControlRecordType.COMMIT, 5));
    byte[] batch = Batches.copy(marker.buffer()).array();
    assertReadable(batch);
    assertTrue(referee.inspect(batch, Policy.STORED).control());
    assertNotNull(referee.inspect(batch, Policy.CLIENT).reason());
  }

  @Test
  void bytesAfterTheBatchAreNotRead() {
    byte[] batch = Batches.of(Codec.NONE, new SimpleRecord(new byte[3])).array();
    byte[] both = ByteBuffer.allocate(batch.length + 30).put(batch).put(new byte[30]).array();
    assertReadable(both);
    assertEquals(batch.length, referee.inspect(both, Policy.STORED).batchBytes());
  }
}
