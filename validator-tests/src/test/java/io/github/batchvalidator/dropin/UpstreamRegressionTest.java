// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.dropin.line.RecordLimit;
import io.github.batchvalidator.dropin.refusal.Metric;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What once was wrong in Kafka's own class, named after the pull request that mended it. */
class UpstreamRegressionTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private final LongRef offset = PrimitiveRef.ofLong(1_000);
  private final RecordedMetrics metrics = new RecordedMetrics();
  private TimestampType topicType = TimestampType.CREATE_TIME;
  private byte toMagic = 2;

  /** KAFKA-5031: the count of the header was not compared with the records. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void pull3156CountMustBeThatOfTheRecords(Codec codec) {
    byte[] three = Batches.plainRecords(records(3));
    for (int count : new int[] {1, 2, 4, 100}) {
      ByteBuffer batch = Batches.ofPlain(codec, count, three);
      assertThrows(InvalidRecordException.class, () -> append(batch, codec, codec));
    }
    append(Batches.ofPlain(codec, 3, three), codec, codec);
  }

  /** KAFKA-6554: the last offset delta was not looked at. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void pull4585OffsetRangeMustFitTheCount(Codec codec) {
    for (int delta : new int[] {-1, 0, 1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      ByteBuffer batch = HeaderField.LAST_OFFSET_DELTA.set(Batches.of(codec, records(3)), delta);
      assertThrows(InvalidRecordException.class, () -> append(batch, codec, codec));
      assertEquals(Metric.OFFSET, metrics.called().get(metrics.called().size() - 1));
    }
    assertEquals(6, metrics.called().size());
    assertEquals(1_000, offset.value);
  }

  /** KAFKA-8428: of several compressed batches all but the first kept their offsets. */
  @Test
  void pull6816CompressedBatchesComeAlone() {
    ByteBuffer batch = Batches.of(Codec.LZ4, records(3));
    ByteBuffer two = ByteBuffer.allocate(2 * batch.remaining());
    two.put(batch.duplicate()).put(batch.duplicate()).flip();
    assertThrows(InvalidRecordException.class, () -> append(two, Codec.LZ4, Codec.LZ4));

    toMagic = 1;
    LegacyMessage outer = LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 3));
    ByteBuffer wrappers = ByteBuffer.wrap(LegacyMessage.join(outer, outer));
    assertThrows(InvalidRecordException.class, () -> append(wrappers, Codec.GZIP, Codec.GZIP));
    assertEquals(1_000, offset.value);
  }

  /** The first mending of KAFKA-8428 refused what old clients may send: plain messages. */
  @Test
  void pull6816PlainMessagesMayBeMany() {
    toMagic = 1;
    ByteBuffer plain = ByteBuffer.wrap(LegacyMessage.join(LegacyMessage.several(1, 3)));
    ValidationResult result = append(plain, Codec.NONE, Codec.NONE);
    assertEquals(List.of(1_000L, 1_001L, 1_002L), offsets(result));
    assertEquals(1_003, offset.value);
  }

  /** KAFKA-9820: an iterator was made, with its buffers, and not used. */
  @Test
  void pull8422AsksForNoBuffer() {
    BufferSupplier none =
        new BufferSupplier() {
          @Override
          public ByteBuffer get(int capacity) {
            throw new IllegalStateException("asked for " + capacity);
          }

          @Override
          public void release(ByteBuffer buffer) {
            throw new IllegalStateException("got one back");
          }

          @Override
          public void close() {}
        };
    for (Codec codec : Codec.values()) {
      validator(Batches.of(codec, records(3)), codec, codec)
          .validateMessagesAndAssignOffsets(offset, metrics, none);
    }
  }

  /** KAFKA-8722: the checksum of a message that was renumbered or converted was not looked at. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void pull7124LooksAtTheChecksumsOfWhatIsWrittenAnew(int magic) {
    toMagic = (byte) magic;
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[1].offset(7).crcError(1);
    ByteBuffer outer =
        ByteBuffer.wrap(LegacyMessage.holding(1, Codec.LZ4, inner).offset(7).toBytes());
    assertThrows(CorruptRecordException.class, () -> append(outer, Codec.LZ4, Codec.LZ4));
    assertEquals(List.of(Metric.CHECKSUM), metrics.called());
    assertEquals(1_000, offset.value);
    inner[1].crcError(0);
    ByteBuffer sound =
        ByteBuffer.wrap(LegacyMessage.holding(1, Codec.LZ4, inner).offset(7).toBytes());
    assertEquals(List.of(1_000L, 1_001L, 1_002L), offsets(append(sound, Codec.LZ4, Codec.LZ4)));
  }

  /** KAFKA-9669: offsets inside of old compressed messages may be anything, of magic 2 not. */
  @Test
  void pull8647RenumbersOldMessagesAndRefusesNewOnes() {
    toMagic = 1;
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[0].offset(7);
    inner[1].offset(7);
    inner[2].offset(9);
    ByteBuffer old =
        ByteBuffer.wrap(LegacyMessage.holding(1, Codec.LZ4, inner).offset(9).toBytes());
    ValidationResult result = append(old, Codec.LZ4, Codec.LZ4);
    assertTrue(result.messageSizeMaybeChanged());
    assertEquals(List.of(1_000L, 1_001L, 1_002L), offsets(result));

    toMagic = 2;
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    plain.writeBytes(new RecordBytes().toBytes());
    plain.writeBytes(new RecordBytes().offsetDelta(varint(2, 1)).toBytes());
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 2, plain.toByteArray());
    assertThrows(InvalidRecordException.class, () -> append(batch, Codec.LZ4, Codec.LZ4));
  }

  /** KAFKA-13149: a record that says it is longer than what is left was a null pointer. */
  @Test
  void pull11080RecordLongerThanTheBatch() {
    byte[] record = new RecordBytes().length(varint(50, 1)).toBytes();
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, record);
    assertThrows(InvalidRecordException.class, () -> append(batch, Codec.NONE, Codec.NONE));
  }

  /** KAFKA-16341: without compression the largest timestamp was that of the wrong record. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void pull15476LargestTimestampWhereverItIs(Codec codec) {
    long largest = Batches.nowMs() + 50;
    SimpleRecord[] records = records(3);
    records[1] = new SimpleRecord(largest, new byte[1], new byte[1]);
    assertEquals(largest, append(Batches.of(codec, records), codec, codec).maxTimestampMs());

    topicType = TimestampType.LOG_APPEND_TIME;
    ValidationResult result = append(Batches.of(codec, records), codec, codec);
    assertEquals(result.logAppendTimeMs(), result.maxTimestampMs());
    assertFalse(result.messageSizeMaybeChanged());
    assertSame(
        TimestampType.LOG_APPEND_TIME,
        result.validatedRecords().batches().iterator().next().timestampType());
  }

  /** KAFKA-17104: a wrong checksum inside of an old compressed message was not counted. */
  @Test
  void pull16558CountsAWrongInnerChecksum() {
    toMagic = 1;
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[1].crcError(1);
    ByteBuffer outer =
        ByteBuffer.wrap(LegacyMessage.holding(1, Codec.GZIP, inner).offset(2).toBytes());
    assertThrows(CorruptRecordException.class, () -> append(outer, Codec.GZIP, Codec.GZIP));
    assertEquals(List.of(Metric.CHECKSUM), metrics.called());
    assertEquals(1_000, offset.value);
  }

  private ValidationResult append(ByteBuffer batch, Codec source, Codec target) {
    return validator(batch, source, target)
        .validateMessagesAndAssignOffsets(offset, metrics, BufferSupplier.NO_CACHING);
  }

  private LineAppend validator(ByteBuffer batch, Codec source, Codec target) {
    Compression compression = Batches.compression(target);
    return new LineAppend(
        MemoryRecords.readableRecords(batch),
        PARTITION,
        Time.SYSTEM,
        Batches.compression(source).type(),
        compression,
        false,
        toMagic,
        topicType,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        5,
        AppendOrigin.CLIENT,
        RecordLimit.DEFAULT);
  }

  private static List<Long> offsets(ValidationResult result) {
    List<Long> offsets = new ArrayList<>();
    for (Record record : result.validatedRecords().records()) {
      offsets.add(record.offset());
    }
    return offsets;
  }

  private static SimpleRecord[] records(int count) {
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      records[i] = new SimpleRecord(Batches.nowMs() + i, new byte[] {'k'}, new byte[] {'v'});
    }
    return records;
  }
}
