// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.KafkaReads;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.testing.streams.ZstdContentSizes;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** One example of every {@link KnownDifference}; each test has the name of its constant. */
final class KnownDifferenceTest {
  private static final Policy UNCHECKED =
      Policy.builder(Origin.COORDINATOR).checkedByHost(true).build();
  private static final Policy COORDINATOR = Policy.builder(Origin.COORDINATOR).build();

  private static final int SNAPPY_HEADER_BYTES = 16;
  private static final long NOW = Batches.nowMs();

  private final Referee referee = new Referee();

  @AfterEach
  void close() {
    referee.close();
  }

  private static ByteBuffer two(Codec codec) {
    return Batches.of(
        codec,
        new SimpleRecord(Batches.nowMs(), new byte[] {1}, new byte[50]),
        new SimpleRecord(Batches.nowMs(), new byte[] {2}, new byte[50]));
  }

  private static byte[] with(Codec codec, HeaderField field, long value) {
    return Batches.fixCrc(field.set(two(codec), value)).array();
  }

  private void assertKnown(KnownDifference expected, byte[] batch, Policy policy) {
    assertEquals(expected, referee.judge(batch, policy));
  }

  private Reason reason(byte[] batch, Policy policy) {
    return Objects.requireNonNull(referee.inspect(batch, policy).reason());
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7})
  void codecIdUnknown(int id) {
    byte[] batch = with(Codec.NONE, HeaderField.ATTRIBUTES, id);
    assertKnown(KnownDifference.CODEC_ID_UNKNOWN, batch, Policy.CLIENT);
    assertEquals(Reason.BATCH_CODEC_UNKNOWN, reason(batch, Policy.CLIENT));
    byte[] message = LegacyMessage.of(1).attributes(id).toBytes();
    assertKnown(KnownDifference.CODEC_ID_UNKNOWN, message, COORDINATOR);
    byte[] inner =
        LegacyMessage.holding(1, Codec.LZ4, LegacyMessage.of(1).attributes(id)).toBytes();
    assertKnown(KnownDifference.CODEC_ID_UNKNOWN, inner, COORDINATOR);
    assertEquals(Reason.RECORD_COMPRESSED, reason(inner, COORDINATOR));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, BatchLayout.MAX_LENGTH + 1})
  void lengthNearOverflow(int length) {
    byte[] batch = HeaderField.LENGTH.set(two(Codec.NONE), length).array();
    assertKnown(KnownDifference.LENGTH_NEAR_OVERFLOW, batch, Policy.CLIENT);
  }

  @Test
  void headerCut() {
    for (int size = 26; size < BatchLayout.HEADER_BYTES; size++) {
      ByteBuffer batch = ByteBuffer.wrap(Arrays.copyOf(two(Codec.NONE).array(), size));
      HeaderField.LENGTH.set(batch, size - BatchLayout.LOG_OVERHEAD);
      assertKnown(KnownDifference.HEADER_CUT, batch.array(), UNCHECKED);
      KnownDifference checked = size == 26 ? KnownDifference.HEADER_CUT : null;
      assertEquals(checked, referee.judge(batch.array(), COORDINATOR));
      assertEquals(checked, referee.judge(batch.array(), Policy.CLIENT));
    }
  }

  @Test
  void plainLengthEndless() {
    byte[] record = new RecordBytes().length(new byte[] {-1, -1, -1, -1, -1, -1}).toBytes();
    byte[] batch = Batches.ofPlain(Codec.NONE, 1, record).array();
    assertKnown(KnownDifference.PLAIN_LENGTH_ENDLESS, batch, Policy.CLIENT);
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void offsetsNotSequential(Codec codec) {
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    byte[] batch = Batches.ofPlain(codec, 1, record).array();
    assertKnown(KnownDifference.OFFSETS_NOT_SEQUENTIAL, batch, Policy.CLIENT);
    byte[] based = with(codec, HeaderField.BASE_OFFSET, 9);
    assertKnown(KnownDifference.OFFSETS_NOT_SEQUENTIAL, based, COORDINATOR);
    if (codec != Codec.ZSTD) { // which messages of magic 1 cannot have
      Policy renumbering =
          Policy.builder(Origin.CLIENT).target(Target.PRODUCER.withMagic((byte) 1)).build();
      assertTrue(referee.kafka.ask(batch, renumbering, Referee.PLACE).accepted());
      assertTrue(referee.inspect(batch, renumbering).accepted());
    }
  }

  @Test
  void codecFailureUnwrapped() {
    byte[] batch = two(Codec.SNAPPY).array();
    batch[BatchLayout.HEADER_BYTES + 16] |= (byte) 0x80; // the sign of a chunk's length
    Batches.fixCrc(ByteBuffer.wrap(batch));
    assertKnown(KnownDifference.CODEC_FAILURE_UNWRAPPED, batch, Policy.CLIENT);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void legacyFieldBeyondEnd(int magic) {
    LegacyMessage outer = LegacyMessage.holding(magic, Codec.GZIP, LegacyMessage.several(magic, 2));
    byte[] batch = outer.valueSizeError(1).toBytes();
    assertKnown(KnownDifference.LEGACY_FIELD_BEYOND_END, batch, COORDINATOR);
    assertEquals(Reason.BATCH_FIELD_BEYOND_END, reason(batch, COORDINATOR));
    referee.agree(batch, Policy.CLIENT);

    byte[] cut = LegacyMessage.of(1).key(null).value(null).cut(8).toBytes();
    Policy compacted = Policy.builder(Origin.COORDINATOR).compactedTopic(true).build();
    assertKnown(KnownDifference.LEGACY_FIELD_BEYOND_END, cut, compacted);
    assertEquals(Reason.RECORD_FIELD_BEYOND_END, reason(cut, compacted));
  }

  @Test
  void legacyRecordWithoutText() {
    Policy logAppendTime =
        Policy.builder(Origin.COORDINATOR)
            .target(
                Target.PRODUCER
                    .withMagic(LegacyLayout.MAGIC_V1)
                    .withTimestampType(TimestampType.LOG_APPEND_TIME))
            .build();
    byte[] message = LegacyMessage.of(1).logAppendTime().keySizeError(500).toBytes();
    assertKnown(KnownDifference.LEGACY_RECORD_WITHOUT_TEXT, message, logAppendTime);
    assertEquals(Reason.RECORD_TIMESTAMP_TYPE_INVALID, reason(message, logAppendTime));
    referee.agree(LegacyMessage.of(1).logAppendTime().toBytes(), logAppendTime);

    LegacyMessage inner = LegacyMessage.of(1).magicByte(0);
    byte[] mixed = LegacyMessage.holding(1, Codec.GZIP, inner).toBytes();
    assertKnown(KnownDifference.LEGACY_RECORD_WITHOUT_TEXT, mixed, logAppendTime);
    assertEquals(Reason.RECORD_MAGIC_MISMATCH, reason(mixed, logAppendTime));
  }

  /** More than any array may have: the JVM says so without trying. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void legacySizeDeclared(int magic) {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(magic, 2));
    ByteBuffer last = ByteBuffer.wrap(plain).position(plain.length / 2).slice();
    HeaderField.LENGTH.set(last, Integer.MAX_VALUE);
    byte[] batch = LegacyMessage.holdingPlain(magic, Codec.GZIP, plain).toBytes();
    assertKnown(KnownDifference.LEGACY_SIZE_DECLARED, batch, COORDINATOR);
    Verdict verdict = referee.inspect(batch, COORDINATOR);
    assertTrue(verdict.accepted());
    assertEquals(1, verdict.recordCount());
  }

  @Test
  void wrongChecksumKept() {
    byte[] batch = HeaderField.MAX_TIMESTAMP.set(two(Codec.NONE), 5).array();
    assertKnown(KnownDifference.WRONG_CHECKSUM_KEPT, batch, UNCHECKED);
    referee.agree(Batches.fixCrc(ByteBuffer.wrap(batch)).array(), UNCHECKED);
  }

  /**
   * Kafka decodes the second block before it looks at the first record, and so does the validator
   * that is made for this.
   */
  @Test
  void streamAndRecordAtFault() {
    byte[] record = new RecordBytes().headerCount(RecordBytes.varint(-1, 1)).toBytes();
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.writeBytes(Batches.compress(Codec.SNAPPY, record));
    payload.writeBytes(new byte[] {0, 0, 0, 2, 60, 60});
    byte[] batch = Batches.ofPayload(Codec.SNAPPY, 2, payload.toByteArray()).array();
    assertKnown(KnownDifference.STREAM_AND_RECORD_AT_FAULT, batch, Policy.CLIENT);
    assertEquals(Reason.RECORD_HEADER_COUNT_INVALID, reason(batch, Policy.CLIENT));
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator likeKafka = KafkaReads.validator()) {
      ByteBuffer buffer = ByteBuffer.wrap(batch);
      assertFalse(likeKafka.inspect(buffer, Policy.CLIENT, Batches.nowMs(), verdict));
      assertEquals(Reason.CODEC_DATA_CORRUPT, verdict.reason());
    }
  }

  @Test
  void secondBatchAndOtherFault() {
    byte[] first = two(Codec.NONE).array();
    byte[] damaged = HeaderField.CRC.set(two(Codec.NONE), 1).array();
    byte[] both = Bytes.concat(damaged, first);
    assertKnown(KnownDifference.SECOND_BATCH_AND_OTHER_FAULT, both, Policy.CLIENT);
    assertKnown(
        KnownDifference.SECOND_BATCH_AND_OTHER_FAULT, Bytes.concat(first, damaged), COORDINATOR);
    referee.agree(Bytes.concat(first, first), Policy.CLIENT);
    referee.agree(Bytes.concat(first, first), COORDINATOR);
  }

  /** The only one where Kafka accepts what is refused here: it never sees the last block. */
  @Test
  void lz4BlockBehindEmptyBlock() {
    byte[] frame = Batches.compress(Codec.LZ4, new RecordBytes().toBytes());
    byte[] emptyBlock = {1, 0, 0, 0, 0};
    byte[] storedBlock = {1, 0, 0, (byte) 0x80, 'x'};
    byte[] open = Arrays.copyOf(frame, frame.length - Integer.BYTES);
    byte[] payload =
        Bytes.concat(
            Bytes.concat(open, Bytes.concat(emptyBlock, storedBlock)), new byte[Integer.BYTES]);
    byte[] batch = Batches.ofPayload(Codec.LZ4, 1, payload).array();
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, reason(batch, Policy.CLIENT));

    byte[] nothingBehind = Bytes.concat(Bytes.concat(open, emptyBlock), new byte[Integer.BYTES]);
    referee.agree(Batches.ofPayload(Codec.LZ4, 1, nothingBehind).array(), Policy.CLIENT);

    byte[] noEndMark = Batches.ofPayload(Codec.LZ4, 1, Bytes.concat(open, emptyBlock)).array();
    assertTrue(referee.kafka.ask(noEndMark, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.CODEC_DATA_TRUNCATED, reason(noEndMark, Policy.CLIENT));
  }

  /** Kafka's reader recurses once per member. */
  @Test
  void gzipManyEmptyMembers() {
    byte[] empty = Batches.compress(Codec.GZIP, new byte[0]);
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < 50_000; i++) {
      payload.writeBytes(empty);
    }
    payload.writeBytes(Batches.compress(Codec.GZIP, new RecordBytes().toBytes()));
    byte[] batch = Batches.ofPayload(Codec.GZIP, 1, payload.toByteArray()).array();
    assertInstanceOf(
        StackOverflowError.class, referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).thrown());
    assertTrue(referee.inspect(batch, Policy.CLIENT).accepted());
  }

  /** The library recurses once per header. */
  @Test
  void snappyManyHeaders() {
    byte[] stream = Batches.compress(Codec.SNAPPY, new RecordBytes().toBytes());
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < 50_000; i++) {
      payload.write(stream, 0, SNAPPY_HEADER_BYTES);
    }
    payload.writeBytes(stream);
    byte[] batch = Batches.ofPayload(Codec.SNAPPY, 1, payload.toByteArray()).array();
    assertInstanceOf(
        StackOverflowError.class, referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).thrown());
    assertTrue(referee.inspect(batch, Policy.CLIENT).accepted());
  }

  /** Older JDKs refuse the start of a member on which a read of 8 KiB ends. */
  @Test
  void gzipBareHeader() {
    int valueBytes = 8100;
    byte[] member;
    do {
      byte[] value = Plain.RANDOM.bytes(++valueBytes);
      byte[] size = RecordBytes.varint(valueBytes, 2);
      member = GzipStreams.member(new RecordBytes().value(size, value).toBytes());
    } while (member.length < GzipStreams.header(0).length + GzipStreams.KAFKA_INPUT_BYTES);
    byte[] payload = Bytes.concat(member, GzipStreams.header(0));
    byte[] batch = Batches.ofPayload(Codec.GZIP, 1, payload).array();
    assertEquals(
        Answer.DECODE_FAILURE, referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).answer());
    boolean alsoOurs = GzipStreams.jdkRefusesBareHeaders();
    assertEquals(!alsoOurs, referee.inspect(batch, Policy.CLIENT).accepted());
  }

  /** In one read, the running JDK decides, for Kafka and for us. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 10, 11, 17, 18, 19})
  void theStartOfAGzipMemberIsReadAsTheJdkReadsIt(int bytes) {
    byte[] member = Batches.compress(Codec.GZIP, new RecordBytes().toBytes());
    byte[] payload = Bytes.concat(member, Arrays.copyOf(member, bytes));
    byte[] batch = Batches.ofPayload(Codec.GZIP, 1, payload).array();
    referee.agree(batch, Policy.CLIENT);
    boolean isRead = bytes == 19 || (bytes >= 10 && GzipStreams.jdkRefusesBareHeaders());
    assertEquals(!isRead, referee.inspect(batch, Policy.CLIENT).accepted());
  }

  /** Ours is the answer of Kafka 4.3.1 with the library that it ships with. */
  @Test
  void zstdCutFrame() {
    byte[] frame = Batches.compress(Codec.ZSTD, new RecordBytes().toBytes());
    byte[] payload = Bytes.concat(frame, Arrays.copyOf(frame, 6));
    byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, payload).array();
    KafkaAnswer theirs = referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE);
    assertEquals(!ZstdFrames.kafkaRefusesCutTails(), theirs.accepted());
    assertTrue(theirs.accepted() || theirs.answer() == Answer.DECODE_FAILURE);
    assertTrue(referee.inspect(batch, Policy.CLIENT).accepted());
  }

  @Test
  void snappyBlockAboveLimit() throws IOException {
    int bytes = 200_000;
    byte[] record =
        new RecordBytes().value(RecordBytes.varint(bytes, 1), new byte[bytes]).toBytes();
    byte[] batch = Batches.ofPayload(Codec.SNAPPY, 1, Snappy.compress(record)).array();
    referee.agree(batch, Policy.CLIENT);
    Policy tight =
        Policy.builder(Origin.CLIENT)
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 1 << 16))
            .build();
    assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(batch, tight));
  }

  /** Kafka stops at a damaged header after a piece of 2 KiB, which is the size of its reads. */
  @Test
  void snappyChunkBehindDamagedHeader() {
    byte[] stream = Batches.compress(Codec.SNAPPY, recordOf(2048));
    byte[] header = Arrays.copyOf(stream, SNAPPY_HEADER_BYTES);
    byte[] chunk = Arrays.copyOfRange(stream, header.length, stream.length);
    byte[] damaged = header.clone();
    damaged[7]++;
    byte[] payload = Bytes.concat(Bytes.concat(stream, damaged), chunk);
    byte[] batch = Batches.ofPayload(Codec.SNAPPY, 1, payload).array();
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, reason(batch, Policy.CLIENT));

    byte[] nothingBehind =
        Batches.ofPayload(Codec.SNAPPY, 1, Bytes.concat(stream, damaged)).array();
    referee.agree(nothingBehind, Policy.CLIENT);

    byte[] small = Batches.compress(Codec.SNAPPY, new RecordBytes().toBytes());
    byte[] twice = Bytes.concat(Bytes.concat(small, damaged), Bytes.concat(damaged, chunk));
    byte[] inARow = Batches.ofPayload(Codec.SNAPPY, 1, twice).array();
    assertTrue(referee.kafka.ask(inARow, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, reason(inARow, Policy.CLIENT));
  }

  private static byte[] recordOf(int bytes) {
    for (int size = 0; size < bytes; size++) {
      byte[] record =
          new RecordBytes().value(RecordBytes.varint(size, 1), new byte[size]).toBytes();
      if (record.length == bytes) {
        return record;
      }
    }
    throw new AssertionError("no record has " + bytes + " bytes");
  }

  /** Room for what is declared spares the window, and a look at it. */
  @Test
  void zstdContentSizeInLowMemory() {
    byte[] record = new RecordBytes().value(RecordBytes.varint(3000, 1), new byte[3000]).toBytes();
    ByteBuffer frame = ByteBuffer.allocate(13 + record.length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0xFD2FB528).put((byte) 0x80).put((byte) 0); // a content size, 1 KiB of window
    frame.putInt(record.length);
    int header = record.length << 3 | 1;
    frame.put((byte) header).putShort((short) (header >> Byte.SIZE)).put(record);
    byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, frame.array()).array();
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertNull(inLargeWindows(batch));
    assertEquals(Reason.CODEC_DATA_CORRUPT, inSmallWindows(batch));
    byte[] without = ZstdContentSizes.without(frame.array(), 16 << 10);
    batch = Batches.ofPayload(Codec.ZSTD, 1, without).array();
    assertEquals(Reason.CODEC_DATA_CORRUPT, inLargeWindows(batch));
    assertEquals(Reason.CODEC_DATA_CORRUPT, inSmallWindows(batch));
  }

  private static @Nullable Reason inLargeWindows(byte[] batch) {
    try (BatchValidator validator = new BatchValidator()) {
      return reasonOf(validator, batch);
    }
  }

  private static @Nullable Reason inSmallWindows(byte[] batch) {
    try (BatchValidator validator = BatchValidator.lowMemory()) {
      return reasonOf(validator, batch);
    }
  }

  private static @Nullable Reason reasonOf(BatchValidator validator, byte[] batch) {
    MutableVerdict verdict = new MutableVerdict();
    validator.inspect(ByteBuffer.wrap(batch), Policy.CLIENT, Batches.nowMs(), verdict);
    return verdict.reason();
  }

  @Test
  void zstdWindowNotNeeded() {
    byte[] record = new RecordBytes().toBytes();
    ByteBuffer frame = ByteBuffer.allocate(13 + record.length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0xFD2FB528).put((byte) 0x80).put((byte) 0x90); // a content size, 256 MiB of window
    frame.putInt(record.length);
    frame.put((byte) (record.length << 3 | 1)).putShort((short) 0).put(record);
    byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, frame.array()).array();
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.CODEC_DATA_CORRUPT, reason(batch, Policy.CLIENT));
    batch = withBlockAboveItsWindow(100_000, 120_000);
    assertNull(referee.kafka.readAll(batch));
    assertEquals(Reason.CODEC_DATA_CORRUPT, reason(batch, Policy.STORED));
    batch = ofOneSegment((128 << 20) + 1);
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertEquals(Reason.CODEC_DATA_CORRUPT, reason(batch, Policy.CLIENT));
  }

  @Test
  void plainBytesBeyondInt() {
    byte[] most = ofZeros(Integer.MAX_VALUE);
    byte[] more = ofZeros(Integer.MAX_VALUE + 1L);
    assertTrue(referee.kafka.ask(more, Policy.CLIENT, Referee.PLACE).accepted());
    try (BatchValidator validator = new BatchValidator()) {
      MutableVerdict verdict = new MutableVerdict();
      assertTrue(validator.inspect(ByteBuffer.wrap(most), Policy.CLIENT, NOW, verdict));
      assertEquals(Integer.MAX_VALUE, verdict.plainBytes());
      assertFalse(validator.inspect(ByteBuffer.wrap(more), Policy.CLIENT, NOW, verdict));
      assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason());
      Policy asKafka = Policy.CLIENT.toBuilder().limits(Limits.UNBOUNDED_AS_KAFKA).build();
      assertTrue(validator.inspect(ByteBuffer.wrap(more), asKafka, NOW, verdict));
      assertEquals(Integer.MAX_VALUE + 1L, verdict.plainBytes());
    }
  }

  /** Returns a batch of so many plain bytes, of two records of zeros. */
  private static byte[] ofZeros(long plainBytes) {
    List<byte[]> blocks = new ArrayList<>(List.of(ZstdFrames.frame(0, ZstdFrames.window(20))));
    long left = plainBytes;
    for (int offsetDelta = 0; offsetDelta < 2; offsetDelta++) {
      int valueBytes = (int) (offsetDelta == 0 ? plainBytes / 2 : left - 15); // length fields of 5
      byte[] head =
          Bytes.concat(
              RecordBytes.varint(valueBytes + 10, 1),
              Bytes.of(0, 0, 2 * offsetDelta, 1),
              RecordBytes.varint(valueBytes, 1));
      blocks.add(ZstdFrames.raw(false, head));
      for (int zeros = valueBytes + 1; zeros > 0; zeros -= 128 << 10) { // and no headers
        blocks.add(ZstdFrames.blockHeader(false, ZstdFrames.RLE, Math.min(zeros, 128 << 10)));
        blocks.add(new byte[1]);
      }
      left -= head.length + valueBytes + 1;
    }
    blocks.add(ZstdFrames.raw(true, new byte[0]));
    byte[] stored = Bytes.concat(blocks.toArray(new byte[0][]));
    return Batches.ofPayload(Codec.ZSTD, 2, stored).array();
  }

  /** Returns a batch with a record of zeros, in a frame whose window is its content. */
  private static byte[] ofOneSegment(int plainBytes) {
    int valueBytes = plainBytes - 13;
    byte[] head =
        Bytes.concat(
            RecordBytes.varint(valueBytes + 9, 1), // its length takes 4 bytes, as that of the value
            Bytes.of(0, 0, 0, 1),
            RecordBytes.varint(valueBytes, 1));
    byte[] frame =
        ZstdFrames.frame(0xa0, Bytes.littleEndian(plainBytes), ZstdFrames.raw(false, head));
    int left = plainBytes - head.length;
    List<byte[]> blocks = new ArrayList<>(List.of(frame));
    while (left > 0) {
      int bytes = Math.min(left, 128 << 10);
      left -= bytes;
      blocks.add(ZstdFrames.blockHeader(left == 0, ZstdFrames.RLE, bytes));
      blocks.add(new byte[1]);
    }
    byte[] stored = Bytes.concat(blocks.toArray(new byte[0][]));
    return Batches.ofPayload(Codec.ZSTD, 1, stored).array();
  }

  /** Returns a batch with a record in three frames, the second without need of its window. */
  private static byte[] withBlockAboveItsWindow(int blockBytes, int valueBytes) {
    byte[] record =
        new RecordBytes().value(RecordBytes.varint(valueBytes, 1), new byte[valueBytes]).toBytes();
    int first = 40;
    int last = first + blockBytes;
    byte[] fields = Bytes.concat(ZstdFrames.window(10), new byte[4]);
    ByteBuffer.wrap(fields).order(ByteOrder.LITTLE_ENDIAN).putInt(1, blockBytes);
    byte[] block = ZstdFrames.raw(true, Arrays.copyOfRange(record, first, last));
    byte[] frames =
        Bytes.concat(
            ZstdFrames.ofWindowLog(20, Arrays.copyOf(record, first)),
            Bytes.concat(
                ZstdFrames.frame(0x80, fields, block),
                ZstdFrames.ofWindowLog(20, Arrays.copyOfRange(record, last, record.length))));
    return Batches.ofPayload(Codec.ZSTD, 1, frames).array();
  }

  /** Each constant has an example here and a row in the document, and the other way round. */
  @Test
  void everyDifferenceIsPinnedAndWrittenDown() throws IOException {
    List<String> rows =
        new ArrayList<>(
            DocumentTable.firstColumn("compatibility.md", "## Inputs that crash Kafka"));
    rows.addAll(DocumentTable.firstColumn("compatibility.md", "## Real differences"));
    List<String> names = Arrays.stream(KnownDifference.values()).map(Enum::name).toList();
    assertEquals(names.stream().sorted().toList(), rows.stream().sorted().toList());
    DocumentTable.assertPinned(names, KnownDifferenceTest.class);
  }
}
