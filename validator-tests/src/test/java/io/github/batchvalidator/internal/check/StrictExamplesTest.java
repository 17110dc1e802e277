// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * For every rule of level STRICT, named after it: a batch that Kafka takes and the rule does not,
 * for every origin. It is refused at STRICT, told when observing, and accepted otherwise.
 */
final class StrictExamplesTest {
  private static final long NOW = Batches.nowMs();
  private static final int RECORDS = BatchLayout.HEADER_BYTES;
  private static final int NO_RECORD = Verdict.NO_RECORD;

  /** The position of the value in a message of magic 1 without a key. */
  private static final int LEGACY_VALUE_AT = 34;

  private static final byte[] KEY = {'k'};
  private static final byte[] HONEST = new RecordBytes().toBytes();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  /** The fields of a verdict that refuses. */
  private record Refusal(Reason reason, int position, int index, long first, long second) {}

  private void check(Refusal refusal, ByteBuffer good, ByteBuffer bad) {
    boolean checked = good.get(BatchLayout.MAGIC_OFFSET) == BatchLayout.MAGIC_V2;
    for (Origin origin : Origin.values()) {
      Policy.Builder policy = Policy.builder(origin).checkedByHost(!checked);
      Policy kafka = policy.build();
      Policy observing = policy.observing(true).build();
      Policy strict = policy.observing(false).level(Level.STRICT).build();
      assertTrue(inspect(good, strict), () -> origin + ": " + verdict);
      boolean applies = refusal.reason().appliesTo(origin);
      if (inspect(bad, kafka)) {
        assertEquals(0, verdict.findings().count());
        assertTrue(inspect(bad, observing), () -> origin + ": " + verdict);
        assertFound(refusal, applies);
        assertEquals(!applies, inspect(bad, strict), () -> origin + ": " + verdict);
        assertFound(refusal, applies);
        if (applies) {
          assertEquals(refusal, found(), origin.name());
        }
      } else {
        assertFalse(applies, () -> origin + ": " + verdict);
      }
    }
  }

  private void assertFound(Refusal refusal, boolean applies) {
    assertEquals(applies ? 1 : 0, verdict.findings().count(), () -> "" + verdict.findings());
    assertEquals(applies, verdict.findings().has(refusal.reason()));
  }

  private boolean inspect(ByteBuffer batch, Policy policy) {
    boolean accepted = validator.inspect(batch, policy, NOW, verdict);
    assertEquals(accepted, verdict.accepted());
    return accepted;
  }

  private Refusal found() {
    return new Refusal(
        Objects.requireNonNull(verdict.reason(), "accepted"),
        verdict.position(),
        verdict.recordIndex(),
        verdict.firstOperand(),
        verdict.secondOperand());
  }

  private static ByteBuffer good() {
    return Batches.of(Codec.NONE, new SimpleRecord(NOW, new byte[1]), new SimpleRecord(NOW, null));
  }

  private static ByteBuffer with(HeaderField field, long value) {
    return Batches.fixCrc(field.set(good(), value));
  }

  private static ByteBuffer of(Codec codec, RecordBytes... records) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (RecordBytes record : records) {
      plain.writeBytes(record.toBytes());
    }
    return Batches.ofPlain(codec, records.length, plain.toByteArray());
  }

  private static RecordBytes second() {
    return new RecordBytes().offsetDelta(RecordBytes.varint(1, 1));
  }

  /** The last record is one that the iterator reads another way, as it ends with the window. */
  private static RecordBytes third() {
    return new RecordBytes().offsetDelta(RecordBytes.varint(2, 1));
  }

  /** The second of two and of three records is at fault, in batches of every codec. */
  private void checkSecond(Reason reason, long first, long second, RecordBytes bad) {
    for (Codec codec : Codec.values()) {
      int position = codec == Codec.NONE ? RECORDS + HONEST.length : RECORDS;
      Refusal refusal = new Refusal(reason, position, 1, first, second);
      check(refusal, of(codec, new RecordBytes(), second()), of(codec, new RecordBytes(), bad));
      check(
          refusal,
          of(codec, new RecordBytes(), second(), third()),
          of(codec, new RecordBytes(), bad, third()));
    }
  }

  @Test
  void batchAttributesReserved() {
    for (int bit = 7; bit < Short.SIZE; bit++) {
      check(
          new Refusal(Reason.BATCH_ATTRIBUTES_RESERVED, 0, NO_RECORD, 1 << bit, 0),
          good(),
          with(HeaderField.ATTRIBUTES, 1 << bit));
    }
  }

  @Test
  void batchDeleteHorizonNotAllowed() {
    check(
        new Refusal(Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED, 0, NO_RECORD, NOW, 0),
        good(),
        with(HeaderField.ATTRIBUTES, BatchLayout.DELETE_HORIZON_MASK));
  }

  @Test
  void batchLogAppendTimeNotAllowed() {
    check(
        new Refusal(Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED, 0, NO_RECORD, NOW, 0),
        good(),
        with(HeaderField.ATTRIBUTES, BatchLayout.TIMESTAMP_TYPE_MASK));
    acceptsLogAppendTimeOnItsTopic();
  }

  /** On a topic of that type it is what Kafka itself stores. */
  private void acceptsLogAppendTimeOnItsTopic() {
    ByteBuffer batch = with(HeaderField.ATTRIBUTES, BatchLayout.TIMESTAMP_TYPE_MASK);
    for (Origin origin : Origin.values()) {
      Policy.Builder policy =
          Policy.builder(origin)
              .checkedByHost(false)
              .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME));
      boolean asKafka = inspect(batch, policy.build());
      assertEquals(asKafka, inspect(batch, policy.level(Level.STRICT).build()), origin::name);
      assertEquals(0, verdict.findings().count(), () -> origin + ": " + verdict.findings());
    }
  }

  /**
   * Compaction leaves such a batch of a producer whose last sequence it has to keep, whatever codec
   * it had.
   */
  private void acceptsAnEmptyBatchOfALog() {
    Policy strict = Policy.builder(Origin.STORED).level(Level.STRICT).build();
    assertTrue(inspect(withoutRecords(Codec.NONE, 5), strict), verdict::toString);
    assertEquals(0, verdict.findings().count(), () -> "" + verdict.findings());
  }

  private static ByteBuffer withoutRecords(Codec codec, int lastOffsetDelta, byte... payload) {
    ByteBuffer batch = Batches.ofPayload(codec, 0, payload);
    return Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, lastOffsetDelta));
  }

  @Test
  void payloadNotEmpty() {
    check(
        new Refusal(Reason.PAYLOAD_NOT_EMPTY, RECORDS, NO_RECORD, 3, 0),
        good(),
        withoutRecords(Codec.GZIP, 0, new byte[3]));
    acceptsAnEmptyBatchOfALog();
  }

  /** Consumers open the stream; of zstd they find nothing, of the others they fail. */
  @Test
  void payloadStreamMissing() {
    for (Codec codec : EnumSet.complementOf(EnumSet.of(Codec.NONE))) {
      check(
          new Refusal(Reason.PAYLOAD_STREAM_MISSING, RECORDS, NO_RECORD, codec.id(), 0),
          good(),
          withoutRecords(codec, 0));
    }
  }

  @Test
  void batchLastOffsetDeltaWrong() {
    for (int wrong : new int[] {0, 2, -5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      check(
          new Refusal(Reason.BATCH_LAST_OFFSET_DELTA_WRONG, 0, NO_RECORD, wrong, 2),
          good(),
          with(HeaderField.LAST_OFFSET_DELTA, wrong));
    }
    check(
        new Refusal(Reason.BATCH_LAST_OFFSET_DELTA_WRONG, 0, NO_RECORD, -1, 0),
        good(),
        withoutRecords(Codec.NONE, -1));
  }

  @Test
  void recordNumberNotShortest() {
    byte[] dropped = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x10};
    RecordBytes[] bad = {
      second().timestampDelta(RecordBytes.varint(0, 2)),
      second().timestampDelta(RecordBytes.varint(0, 10)),
      second().offsetDelta(RecordBytes.varint(1, 3)),
      second()
          .offsetDelta(RecordBytes.varint(1, 2))
          .headerCount(RecordBytes.varint(1, 1))
          .header(KEY, KEY),
      second().key(RecordBytes.varint(1, 2), new byte[1]),
      second().value(RecordBytes.varint(1, 2), new byte[1]),
      second().value(RecordBytes.varint(1, 5), new byte[1]),
      second().headerCount(RecordBytes.varint(0, 2)),
      second().headerCount(dropped),
      second()
          .headerCount(RecordBytes.varint(1, 1))
          .headerPart(RecordBytes.varint(1, 2), KEY)
          .headerPart(RecordBytes.varint(-1, 1), new byte[0]),
      second()
          .headerCount(RecordBytes.varint(1, 1))
          .headerPart(RecordBytes.varint(1, 1), KEY)
          .headerPart(RecordBytes.varint(-1, 2), new byte[0]),
      second().length(RecordBytes.varint(HONEST.length - 1, 2)),
    };
    for (RecordBytes each : bad) {
      checkSecond(Reason.RECORD_NUMBER_NOT_SHORTEST, 0, 0, each);
    }
  }

  @Test
  void recordAttributesReserved() {
    checkSecond(Reason.RECORD_ATTRIBUTES_RESERVED, 1, 0, second().attributes(1));
    checkSecond(Reason.RECORD_ATTRIBUTES_RESERVED, -128, 0, second().attributes(0x80));
    // Nothing else is wrong with one that is earlier than its batch.
    byte[] earlier = RecordBytes.varint(-5, 1);
    checkSecond(
        Reason.RECORD_ATTRIBUTES_RESERVED, 1, 0, second().attributes(1).timestampDelta(earlier));
  }

  @Test
  void recordNullLengthInvalid() {
    byte[] none = {};
    byte[] minusTwo = RecordBytes.varint(-2, 1);
    checkSecond(Reason.RECORD_NULL_LENGTH_INVALID, -2, 0, second().key(minusTwo, none));
    checkSecond(
        Reason.RECORD_NULL_LENGTH_INVALID,
        -70,
        0,
        second().key(minusTwo, none).value(RecordBytes.varint(-70, 1), none));
    checkSecond(
        Reason.RECORD_NULL_LENGTH_INVALID,
        -2,
        0,
        second()
            .headerCount(RecordBytes.varint(1, 1))
            .headerPart(RecordBytes.varint(1, 1), KEY)
            .headerPart(minusTwo, none));
  }

  @Test
  void recordHeaderKeyNotUtf8() {
    byte[] value = {(byte) 0xFF};
    byte[][] malformed = {
      {(byte) 0xFF}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {'a', -28}
    };
    for (byte[] key : malformed) {
      checkSecond(
          Reason.RECORD_HEADER_KEY_NOT_UTF8,
          1,
          0,
          second().headerCount(RecordBytes.varint(2, 1)).header(KEY, value).header(key, value));
    }
  }

  @Test
  void recordLengthUntrue() {
    for (int error : new int[] {-1, 1, 1000, -HONEST.length - 5}) {
      long declared = HONEST.length - 1L + error;
      for (Codec codec : Codec.values()) {
        if (codec != Codec.NONE) {
          check(
              new Refusal(Reason.RECORD_LENGTH_UNTRUE, RECORDS, 1, declared, HONEST.length - 1L),
              of(codec, new RecordBytes(), second()),
              of(codec, new RecordBytes(), second().lengthError(error)));
        }
      }
    }
  }

  @Test
  void recordFieldsUntrue() {
    LegacyMessage good = LegacyMessage.of(1);
    long size = good.toBytes().length;
    for (int error : new int[] {-1, 1, 100}) {
      check(
          new Refusal(Reason.RECORD_FIELDS_UNTRUE, 0, 0, size, size + error),
          good.toBuffer(),
          LegacyMessage.of(1).valueSizeError(error).toBuffer());
    }
    check(
        new Refusal(Reason.RECORD_FIELDS_UNTRUE, 0, 0, 26, 30),
        good.toBuffer(),
        LegacyMessage.of(1).key(null).value(null).cut(8).toBuffer());
  }

  @Test
  void payloadMessageCut() {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(1, 3));
    int one = plain.length / 3;
    for (int dropped : new int[] {1, 12, one - 1}) {
      byte[] cut = Arrays.copyOf(plain, 2 * one + dropped);
      check(
          new Refusal(Reason.PAYLOAD_MESSAGE_CUT, LEGACY_VALUE_AT, NO_RECORD, dropped, 0),
          legacy(Arrays.copyOf(plain, 2 * one)),
          legacy(cut));
    }
  }

  private static ByteBuffer legacy(byte[] plain) {
    return LegacyMessage.holdingPlain(1, Codec.LZ4, plain).offset(1).timestamp(NOW + 1).toBuffer();
  }

  @Test
  void recordTimestampOverflow() {
    ByteBuffer bad = of(Codec.LZ4, new RecordBytes().timestampDelta(RecordBytes.varint(1, 1)));
    HeaderField.BASE_TIMESTAMP.set(bad, Long.MAX_VALUE);
    HeaderField.MAX_TIMESTAMP.set(bad, -1);
    check(
        new Refusal(Reason.RECORD_TIMESTAMP_OVERFLOW, RECORDS, 0, Long.MAX_VALUE, 1),
        good(),
        Batches.fixCrc(bad));
    long most = Long.MAX_VALUE;
    checkRegular(Reason.RECORD_TIMESTAMP_OVERFLOW, most, 1, most, most, 1);
  }

  @Test
  void recordTimestampNegative() {
    ByteBuffer bad = of(Codec.ZSTD, new RecordBytes().timestampDelta(RecordBytes.varint(-1, 1)));
    HeaderField.BASE_TIMESTAMP.set(bad, -1);
    HeaderField.MAX_TIMESTAMP.set(bad, -1);
    check(
        new Refusal(Reason.RECORD_TIMESTAMP_NEGATIVE, RECORDS, 0, -2, 0),
        Batches.of(Codec.NONE, new SimpleRecord(-1L, new byte[1])),
        Batches.fixCrc(bad));
    checkRegular(Reason.RECORD_TIMESTAMP_NEGATIVE, -1, -1, -1, -2, 0);
  }

  /** The second of three records is one that is read the short way, and looked at no further. */
  private void checkRegular(Reason reason, long base, int delta, long max, long first, long other) {
    for (Codec codec : Codec.values()) {
      int position = codec == Codec.NONE ? RECORDS + HONEST.length : RECORDS;
      check(
          new Refusal(reason, position, 1, first, other),
          of(codec, new RecordBytes(), second(), third()),
          withSecondDelta(codec, base, delta, max));
    }
  }

  private static ByteBuffer withSecondDelta(Codec codec, long base, int delta, long max) {
    RecordBytes bad = second().timestampDelta(RecordBytes.varint(delta, 1));
    ByteBuffer batch = of(codec, new RecordBytes(), bad, third());
    HeaderField.BASE_TIMESTAMP.set(batch, base);
    return Batches.fixCrc(HeaderField.MAX_TIMESTAMP.set(batch, max));
  }

  @Test
  void recordOffsetNotSequential() {
    check(
        new Refusal(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, RECORDS, 0, 1, 0),
        of(Codec.NONE, new RecordBytes(), second()),
        of(Codec.NONE, second(), second()));
    check(
        new Refusal(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, RECORDS, 0, 1, 0),
        of(Codec.NONE, new RecordBytes(), second(), third()),
        of(Codec.NONE, second(), third(), new RecordBytes().offsetDelta(RecordBytes.varint(3, 1))));
  }

  /** Kafka compares offsets with the index, which a base offset other than 0 makes useless. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void compressedOffsetsThatTheBaseOffsetHides(Codec codec) {
    RecordBytes before = new RecordBytes().offsetDelta(RecordBytes.varint(-2, 1));
    ByteBuffer batch = HeaderField.BASE_OFFSET.set(of(codec, before), 2);
    for (Origin origin : new Origin[] {Origin.COORDINATOR, Origin.REPLICATION}) {
      Policy kafka = Policy.builder(origin).build();
      assertTrue(inspect(batch, kafka), verdict::toString);
      assertFalse(inspect(batch, kafka.toBuilder().level(Level.STRICT).build()));
      assertEquals(new Refusal(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, RECORDS, 0, -2, 0), found());
    }
  }

  /** Kafka refuses the batch in place. A rebuild corrects its offsets. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void oddOffsetsOfARebuiltBatchAreFound(Codec codec) {
    ByteBuffer batch = of(codec, second(), second());
    Policy kept = Policy.CLIENT.toBuilder().observing(true).build();
    Policy anew = kept.toBuilder().target(Target.of(Codec.NONE)).build();
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      assertFalse(validator.inspect(batch, kept, Batches.nowMs(), verdict));
      assertEquals(Reason.RECORD_OFFSET_UNEXPECTED, verdict.reason());
      assertTrue(validator.inspect(batch, anew, Batches.nowMs(), verdict));
      assertEquals(RebuildCause.OTHER_CODEC, verdict.rebuildCause());
      assertEquals(1, verdict.findings().count());
      assertEquals(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, verdict.findings().reason(0));
      Policy strict = anew.toBuilder().level(Level.STRICT).build();
      assertFalse(validator.inspect(batch, strict, Batches.nowMs(), verdict));
      assertEquals(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, verdict.reason());
    }
  }

  /** Two bytes like those that a stream starts with: of zstd a second frame that is cut. */
  @Test
  void codecBytesLeft() {
    for (Codec codec : new Codec[] {Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD}) {
      byte[] stream = Batches.compress(codec, HONEST);
      ByteBuffer more = ByteBuffer.allocate(stream.length + 2).put(stream).put(stream, 0, 2);
      check(
          new Refusal(Reason.CODEC_BYTES_LEFT, RECORDS, NO_RECORD, 2, 0),
          Batches.ofPayload(codec, 1, stream),
          Batches.ofPayload(codec, 1, more.array()));
    }
  }

  @Test
  void codecStreamAmbiguous() {
    byte[] snappy = Batches.compress(Codec.SNAPPY, HONEST);
    ByteBuffer damagedHeader =
        ByteBuffer.allocate(snappy.length + 16).put(snappy).put(snappy, 0, 4);
    checkAmbiguous(Codec.SNAPPY, snappy, damagedHeader.array());
    ByteBuffer secondHeader =
        ByteBuffer.allocate(snappy.length + 16).put(snappy).put(snappy, 0, 16);
    checkAmbiguous(Codec.SNAPPY, snappy, secondHeader.array());
    byte[] lz4 = Batches.compress(Codec.LZ4, HONEST);
    byte[] emptyBlock = {1, 0, 0, 0, 0};
    int header = 7;
    ByteBuffer more = ByteBuffer.allocate(lz4.length + emptyBlock.length).put(lz4, 0, header);
    more.put(emptyBlock).put(lz4, header, lz4.length - header);
    checkAmbiguous(Codec.LZ4, lz4, more.array());
    byte[] endMarkOfStoredBlock = lz4.clone();
    endMarkOfStoredBlock[lz4.length - 1] = (byte) 0x80;
    checkAmbiguous(Codec.LZ4, lz4, endMarkOfStoredBlock);
  }

  private void checkAmbiguous(Codec codec, byte[] good, byte[] bad) {
    check(
        new Refusal(Reason.CODEC_STREAM_AMBIGUOUS, RECORDS, NO_RECORD, 0, 0),
        Batches.ofPayload(codec, 1, good),
        Batches.ofPayload(codec, 1, bad));
  }

  @Test
  void codecContentChecksumWrong() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream frame =
        new LZ4FrameOutputStream(
            out, BLOCKSIZE.SIZE_64KB, -1, Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM)) {
      frame.write(HONEST);
    }
    byte[] good = out.toByteArray();
    byte[] bad = good.clone();
    bad[good.length - 1] ^= 1;
    ByteBuffer trailer = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
    long hash = Integer.toUnsignedLong(trailer.getInt(good.length - Integer.BYTES));
    check(
        new Refusal(
            Reason.CODEC_CONTENT_CHECKSUM_WRONG, RECORDS, NO_RECORD, hash ^ (1 << 24), hash),
        Batches.ofPayload(Codec.LZ4, 1, good),
        Batches.ofPayload(Codec.LZ4, 1, bad));
  }

  @Test
  void batchMaxTimestampWrong() {
    for (long wrong : new long[] {-1, 0, NOW - 1, NOW + 1}) {
      check(
          new Refusal(Reason.BATCH_MAX_TIMESTAMP_WRONG, 0, NO_RECORD, wrong, NOW),
          good(),
          with(HeaderField.MAX_TIMESTAMP, wrong));
    }
  }
}
