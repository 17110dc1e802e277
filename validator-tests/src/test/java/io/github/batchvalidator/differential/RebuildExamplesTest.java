// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a rebuild does where Kafka crashes, at its limits, and what it costs. */
final class RebuildExamplesTest {
  private static final Policy COORDINATOR =
      Policy.builder(Origin.COORDINATOR).checkedByHost(true).build();

  private final KafkaOracle kafka = new KafkaOracle();
  private final BatchEngine rebuilder = BatchEngine.fastest(GzipInflater.AUTO);
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    rebuilder.close();
  }

  private boolean rebuild(ByteBuffer batch, Policy policy, Codec target, long firstOffset) {
    return rebuild(batch, Batches.storing(policy, target), firstOffset);
  }

  private boolean rebuild(ByteBuffer batch, Policy policy, long firstOffset) {
    return rebuilder.rebuild(
        Batches.framed(batch), policy, null, firstOffset, Batches.nowMs(), verdict);
  }

  private void assertCrash(Reason ours, ByteBuffer batch, Policy policy, Codec target, long first) {
    Place place = new Place(first, 1, Batches.nowMs());
    KafkaAnswer theirs = kafka.ask(Batches.copy(batch).array(), policy, place, target);
    assertTrue(theirs.crashed(), () -> "Kafka: " + theirs.thrown());
    assertFalse(rebuild(batch, policy, target, first));
    assertEquals(ours, verdict.reason());
    assertThrows(IllegalStateException.class, () -> rebuilder.rebuiltBatch());
    assertEquals(theirs.nextOffset(), first + rebuilder.offsetsTaken());
  }

  private static SimpleRecord record(long timestamp, Header... headers) {
    return new SimpleRecord(timestamp, new byte[] {1}, new byte[9], headers);
  }

  private static ByteBuffer two(Codec codec, long secondTimestamp, Header... headers) {
    return Batches.ofAny(codec, List.of(record(5), record(secondTimestamp, headers)));
  }

  private static Policy toMagic(int magic) {
    return Policy.builder(Origin.COORDINATOR)
        .checkedByHost(true)
        .target(Target.PRODUCER.withMagic((byte) magic))
        .build();
  }

  @Test
  void inputsThatCrashKafkasBuilderAreRefused() {
    Header header = new RecordHeader("h", new byte[1]);
    assertCrash(Reason.REBUILD_TIMESTAMP_NEGATIVE, two(Codec.LZ4, -2), COORDINATOR, Codec.GZIP, 4);
    for (Codec target : List.of(Codec.NONE, Codec.GZIP)) {
      assertCrash(
          Reason.REBUILD_HEADERS_UNSUPPORTED, two(Codec.NONE, 6, header), toMagic(1), target, 4);
    }
    assertCrash(
        Reason.REBUILD_OFFSET_OVERFLOW, two(Codec.LZ4, 6), COORDINATOR, Codec.GZIP, Long.MAX_VALUE);
    assertCrash(Reason.BATCH_CODEC_UNSUPPORTED, two(Codec.LZ4, 6), toMagic(0), Codec.ZSTD, 4);
    byte[] endless = new RecordBytes().length(RecordBytes.varint(Integer.MAX_VALUE, 5)).toBytes();
    ByteBuffer beyond = Batches.ofPlain(Codec.LZ4, 1, endless);
    assertCrash(Reason.RECORD_TRUNCATED, beyond, COORDINATOR, Codec.GZIP, 4);
    assertCrash(
        Reason.RECORD_FIELD_BEYOND_END,
        LegacyMessage.of(1).valueSizeError(1).toBuffer(),
        COORDINATOR,
        Codec.NONE,
        4);
    Policy logAppendTime =
        Policy.builder(Origin.COORDINATOR)
            .checkedByHost(true)
            .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
            .build();
    assertCrash(
        Reason.REBUILD_WITHOUT_RECORDS,
        Batches.ofAny(Codec.LZ4, List.of()),
        logAppendTime,
        Codec.GZIP,
        4);
  }

  @Test
  void aTransactionWithoutProducerFieldsIsRefused() {
    ByteBuffer batch = two(Codec.LZ4, 6);
    HeaderField.ATTRIBUTES.set(batch, Codec.LZ4.id() | BatchLayout.TRANSACTIONAL_MASK);
    assertCrash(Reason.REBUILD_PRODUCER_ID_MISSING, batch, COORDINATOR, Codec.GZIP, 4);
    HeaderField.PRODUCER_ID.set(batch, 7);
    assertCrash(Reason.REBUILD_PRODUCER_EPOCH_MISSING, batch, COORDINATOR, Codec.GZIP, 4);
    HeaderField.PRODUCER_EPOCH.set(batch, 0);
    assertCrash(Reason.REBUILD_SEQUENCE_MISSING, batch, COORDINATOR, Codec.GZIP, 4);
    HeaderField.BASE_SEQUENCE.set(batch, 0);
    assertTrue(rebuild(batch, COORDINATOR, Codec.GZIP, 4));
  }

  /** Up to 64 bytes, a key is written together with the numbers around it. */
  @Test
  void keysOfEverySizeAreConverted() {
    SimpleRecord[] sent =
        IntStream.of(0, 1, 63, 64, 65, 1000)
            .mapToObj(size -> new SimpleRecord(5, "k".repeat(size).getBytes(UTF_8), new byte[9]))
            .toArray(SimpleRecord[]::new);
    ByteBuffer messages = MemoryRecords.withRecords((byte) 1, Compression.NONE, sent).buffer();
    assertTrue(rebuild(messages, COORDINATOR, Codec.NONE, 4), verdict::toString);
    List<SimpleRecord> stored = new ArrayList<>();
    MemoryRecords.readableRecords(rebuilder.rebuiltBatch())
        .records()
        .forEach(each -> stored.add(new SimpleRecord(each)));
    assertEquals(List.of(sent), stored);

    ByteBuffer unlimited = Batches.copy(rebuilder.rebuiltBatch());
    int bytes = unlimited.remaining();
    for (int limit = bytes - 200; limit < bytes; limit++) {
      assertFalse(rebuild(messages, atMost(limit), Codec.NONE, 4));
      assertEquals(Reason.LIMIT_REBUILT_BYTES, verdict.reason());
    }
    for (int limit = bytes; limit < bytes + 200; limit++) {
      assertTrue(rebuild(messages, atMost(limit), Codec.NONE, 4), verdict::toString);
      assertEquals(unlimited, rebuilder.rebuiltBatch());
    }
  }

  @Test
  void batchesOfDifferentMagicAreRefused() {
    byte[] both = LegacyMessage.join(LegacyMessage.of(0), LegacyMessage.of(1));
    assertFalse(rebuild(ByteBuffer.wrap(both), COORDINATOR, Codec.NONE, 0));
    assertEquals(Reason.REBUILD_MAGIC_MISMATCH, verdict.reason());
  }

  @Test
  void limitsHoldInARebuild() {
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(1, null, new byte[100_000]));
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.REBUILT_BYTES, 90_000);
    Policy policy = Policy.builder(Origin.CLIENT).limits(limits).build();
    assertFalse(rebuild(batch, policy, Codec.LZ4, 0));
    assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());

    SimpleRecord[] several = {record(1), new SimpleRecord(1, null, new byte[60_000]), record(1)};
    batch = Batches.of(Codec.GZIP, several);
    policy = Policy.builder(Origin.CLIENT).limits(limits.with(Limit.REBUILT_BYTES, 60_060)).build();
    assertFalse(rebuild(batch, policy, Codec.NONE, 0));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, verdict.reason());
    assertTrue(rebuild(batch, policy, Codec.ZSTD, 0));

    policy = Policy.builder(Origin.CLIENT).limits(limits.with(Limit.PLAIN_BYTES, 50_000)).build();
    assertFalse(rebuild(batch, policy, Codec.LZ4, 0));
    assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason());
    assertTrue(rebuilder.heapBytes() < 4 << 20, () -> rebuilder.heapBytes() + " bytes");
  }

  /** A rebuild reads an uncompressed message. An append in place does not, so no limit applies. */
  @Test
  void limitsOfAMessageThatIsNotCompressed() {
    ByteBuffer message = LegacyMessage.of(1).value(new byte[60_000]).toBuffer();
    int size = message.remaining();
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, size - 1);
    Policy policy = Policy.builder(Origin.COORDINATOR).limits(limits).build();
    assertFalse(rebuild(message, policy, Codec.GZIP, 0));
    assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason());
    assertEquals(size, verdict.firstOperand());
    assertEquals(size - 1, verdict.position());

    // REBUILT_BYTES limits the bytes that are written, not those that are read.
    assertTrue(rebuild(message, atMost(40_000), Codec.GZIP, 0));
    assertTrue(rebuild(Batches.direct(message), atMost(40_000), Codec.GZIP, 0));
  }

  /** A result as large as the limit is allowed for each codec; one byte more is not. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void limitOfTheResultIsMetToTheByte(Codec target) {
    Codec codec = target == Codec.LZ4 ? Codec.GZIP : Codec.LZ4;
    SimpleRecord[] records = new SimpleRecord[100];
    for (int i = 0; i < records.length; i++) {
      records[i] = new SimpleRecord(i, null, Plain.RANDOM.bytes(2_000 + i));
    }
    ByteBuffer batch = Batches.ofAny(codec, List.of(records));
    assertTrue(rebuild(batch, COORDINATOR, target, 0));
    ByteBuffer unlimited = Batches.copy(rebuilder.rebuiltBatch());
    int bytes = unlimited.remaining();

    assertTrue(rebuild(batch, atMost(bytes), target, 0));
    assertEquals(unlimited, rebuilder.rebuiltBatch());

    assertFalse(rebuild(batch, atMost(bytes - 1), target, 0));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, verdict.reason());
    assertEquals(bytes - 1, verdict.secondOperand());
    assertThrows(IllegalStateException.class, () -> rebuilder.rebuiltBatch());
  }

  private static Policy atMost(int rebuiltBytes) {
    return Policy.builder(Origin.COORDINATOR)
        .checkedByHost(true)
        .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.REBUILT_BYTES, rebuiltBytes))
        .build();
  }

  @Test
  void wrongChecksumIsRefusedIfAskedFor() {
    ByteBuffer batch = two(Codec.LZ4, 6);
    batch.putInt(BatchLayout.CRC_OFFSET, ~batch.getInt(BatchLayout.CRC_OFFSET));
    assertFalse(rebuild(batch, Policy.CLIENT, Codec.GZIP, 0));
    assertEquals(Reason.BATCH_CRC_MISMATCH, verdict.reason());
    assertTrue(rebuild(batch, COORDINATOR, Codec.GZIP, 0));
  }

  /** Of what is not compressed Kafka lists all records first, and writes while it checks. */
  @Test
  void recordsAfterAnUnwritableOneAreNotChecked() {
    Header header = new RecordHeader("h", new byte[1]);
    SimpleRecord keyless = new SimpleRecord(6, null, new byte[9]);
    ByteBuffer batch = Batches.of(Codec.NONE, record(5, header), keyless, keyless);
    Policy policy = toMagic(1).toBuilder().compactedTopic(true).build();
    assertCrash(Reason.REBUILD_HEADERS_UNSUPPORTED, batch, policy, Codec.NONE, 4);
    assertEquals(0, verdict.failureTotal());
    Place place = new Place(4, 1, Batches.nowMs());
    byte[] bytes = Batches.copy(batch).array();
    assertEquals(List.of(), kafka.ask(bytes, policy, place, Codec.NONE).metrics());
    ByteBuffer later = Batches.of(Codec.NONE, keyless, record(5, header), keyless);
    assertFalse(rebuild(later, policy, Codec.NONE, 4));
    assertEquals(Reason.RECORD_KEY_MISSING, verdict.reason());
    assertEquals(2, verdict.failureTotal());
    bytes = Batches.copy(later).array();
    assertEquals(List.of(0, 2), kafka.ask(bytes, policy, place, Codec.NONE).failingRecords());
  }

  @Test
  void failuresBeforeAReadFaultAreDropped() {
    SimpleRecord keyless = new SimpleRecord(6, null, new byte[9]);
    ByteBuffer batch = Batches.of(Codec.GZIP, keyless, keyless, keyless);
    Policy compacted = COORDINATOR.toBuilder().compactedTopic(true).build();
    assertFalse(rebuilder.check(batch, compacted, Batches.nowMs(), verdict));
    assertEquals(Reason.RECORD_KEY_MISSING, verdict.reason());
    assertEquals(3, verdict.failureTotal());
    HeaderField.RECORD_COUNT.set(batch, 4);
    assertFalse(rebuilder.check(batch, compacted, Batches.nowMs(), verdict));
    assertEquals(Reason.PAYLOAD_RECORDS_MISSING, verdict.reason());
    assertEquals(0, verdict.failureTotal());
  }

  /** As {@code BatchValidator} places it. */
  @Test
  void aFramingFaultHasThePositionAfterTheLastBatch() {
    ByteBuffer sound = two(Codec.LZ4, 6);
    ByteBuffer both = ByteBuffer.allocate(sound.remaining() + BatchLayout.PREFIX_BYTES);
    both.put(sound.duplicate()).putLong(0).putInt(3).clear();
    assertFalse(rebuild(both, COORDINATOR, Codec.GZIP, 4));
    assertEquals(Reason.FRAMING_LENGTH_TOO_SMALL, verdict.reason());
    assertEquals(sound.remaining(), verdict.position());
  }

  /** A host that has read the result once is given it as a whole when it asks again. */
  @Test
  void theResultIsWholeEachTime() {
    assertTrue(rebuild(two(Codec.LZ4, 6), COORDINATOR, Codec.GZIP, 4));
    ByteBuffer read = rebuilder.rebuiltBatch();
    int size = read.remaining();
    read.order(ByteOrder.LITTLE_ENDIAN).position(size - 1).limit(size - 1);
    ByteBuffer again = rebuilder.rebuiltBatch();
    assertEquals(size, again.remaining());
    assertEquals(
        8, new OffsetStamp().firstOffset(6).leaderEpoch(7).nowMs(0).assign(again, verdict));
    assertEquals(7, again.getInt(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET));
    assertEquals(6, again.getLong(BatchLayout.BASE_OFFSET_OFFSET));
    again.order(ByteOrder.LITTLE_ENDIAN).limit(0);
    assertTrue(rebuild(two(Codec.LZ4, 6), COORDINATOR, Codec.GZIP, 5));
    assertEquals(5, rebuilder.rebuiltBatch().getLong(BatchLayout.BASE_OFFSET_OFFSET));
  }

  /** Kafka decides by the codec that its caller passes, even if the messages have another one. */
  @Test
  void theSourceCodecOfTheCallerDecides() {
    LegacyMessage message = LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 2));
    ByteBuffer several = ByteBuffer.wrap(LegacyMessage.join(message, message));
    Policy storing = Batches.storing(COORDINATOR, Codec.LZ4);
    BatchIterator framed = Batches.framed(several);
    assertTrue(rebuilder.rebuild(framed, storing, Codec.NONE, 0, Batches.nowMs(), verdict));
    assertEquals(4, rebuilder.rebuiltRecords());
    assertFalse(rebuild(several, COORDINATOR, Codec.LZ4, 0));
    assertEquals(Reason.BATCH_NOT_ALONE, verdict.reason());
  }

  /** Several messages that become one batch count as one. */
  @Test
  void theVerdictCountsAllMessages() {
    LegacyMessage earlier = LegacyMessage.of(1).timestamp(70).value(new byte[1000]);
    LegacyMessage later = LegacyMessage.of(1).timestamp(60).value(new byte[10]);
    ByteBuffer three = ByteBuffer.wrap(LegacyMessage.join(later, earlier, later));
    assertTrue(rebuild(three, COORDINATOR, Codec.NONE, 0));
    assertEquals(3, verdict.recordCount());
    assertEquals(three.remaining(), verdict.plainBytes());
    assertEquals(three.remaining(), verdict.declaredBytes());
    assertEquals(70, verdict.maxTimestamp());
    assertTrue(rebuild(later.toBuffer(), COORDINATOR, Codec.NONE, 0));
    assertEquals(1, verdict.recordCount());
    assertEquals(60, verdict.maxTimestamp());
  }

  /** {@code check} writes nothing, so it does not apply the rules of a batch builder. */
  @Test
  void checkWritesNothing() {
    ByteBuffer batch = two(Codec.GZIP, -5);
    assertFalse(rebuild(batch, COORDINATOR, Codec.LZ4, 0));
    assertEquals(Reason.REBUILD_TIMESTAMP_NEGATIVE, verdict.reason());
    assertTrue(rebuilder.check(batch, COORDINATOR, Batches.nowMs(), verdict));
    assertEquals(2, verdict.recordCount());
    assertThrows(IllegalStateException.class, () -> rebuilder.rebuiltBatch());
    HeaderField.RECORD_COUNT.set(batch, 3);
    assertFalse(rebuilder.check(batch, COORDINATOR, Batches.nowMs(), verdict));
    assertEquals(Reason.PAYLOAD_RECORDS_MISSING, verdict.reason());
  }

  @Test
  void closedRebuilderRefuses() {
    assertTrue(rebuild(two(Codec.LZ4, 6), COORDINATOR, Codec.GZIP, 0));
    rebuilder.close();
    assertThrows(
        IllegalStateException.class, () -> rebuild(two(Codec.LZ4, 6), COORDINATOR, Codec.GZIP, 0));
    assertThrows(
        IllegalStateException.class,
        () -> rebuilder.check(two(Codec.LZ4, 6), COORDINATOR, 0, verdict));
    assertThrows(IllegalArgumentException.class, () -> Target.of(Codec.GZIP, 10));
  }

  /**
   * Copied, renumbered and refused records, to every codec; zstd takes a context for each batch.
   */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void allocatesNothingElseOnceWarm(Codec target) {
    Codec codec = target == Codec.LZ4 ? Codec.GZIP : Codec.LZ4;
    SimpleRecord[] records = new SimpleRecord[500];
    for (int i = 0; i < records.length; i++) {
      records[i] = record(Batches.nowMs() + i, new RecordHeader("header", new byte[i % 30]));
    }
    ByteBuffer copied = Batches.of(codec, records);
    ByteBuffer renumbered = Batches.ofAny(codec, List.of(records));
    HeaderField.BASE_TIMESTAMP.set(renumbered, Batches.nowMs() - 5);
    ByteBuffer refused = Batches.of(codec, records);
    HeaderField.RECORD_COUNT.set(refused, 501);
    ByteBuffer legacy =
        target == Codec.ZSTD
            ? copied
            : LegacyMessage.holding(1, codec, LegacyMessage.several(1, 50)).toBuffer();
    Policy to = Batches.storing(COORDINATOR, target);
    long contexts = target == Codec.ZSTD ? 4 * ZstdForeignCalls.BYTES_PER_CONTEXT : 0;
    long now = Batches.nowMs();
    BatchRebuilder writer = new BatchRebuilder();
    long bytes =
        AllocationMeter.bytesPerCall(
            AllocationMeter.CALLS,
            contexts,
            () -> {
              assertTrue(rebuilder.check(copied, COORDINATOR, now, verdict));
              assertTrue(writer.firstOffset(3).rebuild(copied, to, now, verdict));
              assertTrue(writer.firstOffset(3).rebuild(renumbered, to, now, verdict));
              assertFalse(writer.firstOffset(3).rebuild(refused, to, now, verdict));
              assertTrue(writer.firstOffset(3).rebuild(legacy, to, now, verdict));
            });
    writer.close();
    assertTrue(bytes <= contexts, () -> bytes + " bytes");
  }
}
