// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * For every rule, named after it: a batch that it passes and one that it refuses, for every origin.
 * Origins that the rule does not apply to accept both.
 */
final class RuleExamplesTest {
  private static final long NOW = Batches.nowMs();
  private static final int FIRST_RECORD = BatchLayout.HEADER_BYTES;

  /** The position of the value in a message of magic 1 without a key. */
  private static final int VALUE_AT = 34;

  private static final UnaryOperator<Policy.Builder> DEFAULTS = UnaryOperator.identity();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  /** The fields of a verdict that refuses. */
  private record Refusal(Reason reason, int position, long first, long second) {}

  private static ByteBuffer good() {
    return Batches.of(Codec.NONE, record(NOW), record(NOW));
  }

  private static SimpleRecord record(long timestamp) {
    return new SimpleRecord(timestamp, new byte[] {'k'}, new byte[] {'v'});
  }

  private static ByteBuffer with(HeaderField field, long value) {
    return Batches.fixCrc(field.set(good(), value));
  }

  private void check(Refusal refusal, ByteBuffer good, ByteBuffer bad) {
    check(refusal, good, bad, DEFAULTS);
  }

  private void check(
      Refusal refusal, ByteBuffer good, ByteBuffer bad, UnaryOperator<Policy.Builder> settings) {
    for (Origin origin : Origin.values()) {
      Policy policy = settings.apply(Policy.builder(origin)).build();
      assertTrue(validator.inspect(good, policy, NOW, verdict), () -> origin + ": " + verdict);
      boolean accepted = validator.inspect(bad, policy, NOW, verdict);
      if (refusal.reason().appliesTo(origin)) {
        assertEquals(refusal, found(), origin.name());
        assertTrue(verdict.recordCount() == 0 || !isOfHeader(refusal.reason()), origin.name());
      } else {
        assertTrue(accepted, () -> origin + ": " + verdict);
        assertNull(verdict.reason());
      }
    }
  }

  /** Records of a batch whose header is refused are not read: they may be of any number. */
  private static boolean isOfHeader(Reason reason) {
    return reason.name().startsWith("BATCH_") && reason != Reason.BATCH_MAX_TIMESTAMP_MISMATCH;
  }

  private Refusal found() {
    Reason reason = Objects.requireNonNull(verdict.reason(), "accepted");
    return new Refusal(reason, verdict.position(), verdict.firstOperand(), verdict.secondOperand());
  }

  @Test
  void batchMagicUnsupported() {
    check(
        new Refusal(Reason.BATCH_MAGIC_UNSUPPORTED, 0, 1, 0),
        good(),
        LegacyMessage.of(1).toBuffer());
  }

  @Test
  void batchHeaderIncomplete() {
    ByteBuffer cut = ByteBuffer.allocate(60).put(0, good(), 0, 60);
    HeaderField.LENGTH.set(cut, 60 - BatchLayout.LOG_OVERHEAD);
    check(new Refusal(Reason.BATCH_HEADER_INCOMPLETE, 0, 60, 0), good(), cut);
    ByteBuffer header = Batches.ofPlain(Codec.NONE, 0, new byte[0]);
    Policy follower = Policy.builder(Origin.REPLICATION).build();
    assertTrue(validator.inspect(header, follower, NOW, verdict), verdict::toString);
  }

  @Test
  void batchBaseOffsetNotZero() {
    check(
        new Refusal(Reason.BATCH_BASE_OFFSET_NOT_ZERO, 0, 7, 0),
        good(),
        with(HeaderField.BASE_OFFSET, 7));
  }

  @Test
  void batchTooLarge() {
    int size = good().limit();
    ByteBuffer larger = Batches.of(Codec.NONE, record(NOW), record(NOW), record(NOW));
    check(
        new Refusal(Reason.BATCH_TOO_LARGE, 0, larger.limit(), size),
        good(),
        larger,
        policy -> policy.maxBatchBytes(size));
  }

  @Test
  void batchCrcMismatch() {
    long stored = HeaderField.CRC.get(good()) & 0xFFFFFFFFL;
    check(
        new Refusal(Reason.BATCH_CRC_MISMATCH, 0, stored ^ 1, stored),
        good(),
        HeaderField.CRC.set(good(), stored ^ 1));
    ByteBuffer message = LegacyMessage.of(1).toBuffer();
    long ofMessage = message.getInt(LegacyLayout.CRC_OFFSET) & 0xFFFFFFFFL;
    Policy checking = Policy.builder(Origin.COORDINATOR).checkedByHost(false).build();
    assertTrue(validator.inspect(message, checking, NOW, verdict), verdict::toString);
    assertFalse(
        validator.inspect(LegacyMessage.of(1).crcError(1).toBuffer(), checking, NOW, verdict));
    assertEquals(new Refusal(Reason.BATCH_CRC_MISMATCH, 0, ofMessage ^ 1, ofMessage), found());
  }

  @Test
  void batchOffsetRangeInvalid() {
    check(
        new Refusal(Reason.BATCH_OFFSET_RANGE_INVALID, 0, -1, 0),
        good(),
        with(HeaderField.LAST_OFFSET_DELTA, -1));
  }

  @Test
  void batchCountNotPositive() {
    ByteBuffer empty = Batches.fixCrc(with(HeaderField.RECORD_COUNT, 0));
    check(new Refusal(Reason.BATCH_COUNT_NOT_POSITIVE, 0, 0, 0), good(), empty);
  }

  @Test
  void batchCountMismatch() {
    check(
        new Refusal(Reason.BATCH_COUNT_MISMATCH, 0, 2, 4),
        good(),
        with(HeaderField.LAST_OFFSET_DELTA, 3));
  }

  @Test
  void batchControlNotAllowed() {
    check(
        new Refusal(Reason.BATCH_CONTROL_NOT_ALLOWED, 0, 0, 0),
        good(),
        with(HeaderField.ATTRIBUTES, BatchLayout.CONTROL_MASK));
  }

  @Test
  void batchSequenceInvalid() {
    for (long producer : new long[] {0, 5}) {
      check(
          new Refusal(Reason.BATCH_SEQUENCE_INVALID, 0, -1, producer),
          idempotent(producer),
          with(HeaderField.PRODUCER_ID, producer));
    }
  }

  @Test
  void batchTransactionalUnsupported() {
    check(
        new Refusal(Reason.BATCH_TRANSACTIONAL_UNSUPPORTED, 0, 1, 0),
        good(),
        with(HeaderField.ATTRIBUTES, BatchLayout.TRANSACTIONAL_MASK),
        policy -> policy.target(Target.PRODUCER.withMagic(LegacyLayout.MAGIC_V1)));
  }

  @Test
  void batchIdempotentUnsupported() {
    for (long producer : new long[] {0, 5}) {
      check(
          new Refusal(Reason.BATCH_IDEMPOTENT_UNSUPPORTED, 0, 0, 0),
          good(),
          idempotent(producer),
          policy -> policy.target(Target.PRODUCER.withMagic(LegacyLayout.MAGIC_V0)));
    }
  }

  private static ByteBuffer idempotent(long producer) {
    return Batches.fixCrc(
        HeaderField.BASE_SEQUENCE.set(with(HeaderField.PRODUCER_ID, producer), 0));
  }

  @Test
  void batchCodecUnsupported() {
    LegacyMessage zstd = holding(Codec.LZ4, LegacyMessage.several(1, 2)).attributes(4);
    checkLegacy(new Refusal(Reason.BATCH_CODEC_UNSUPPORTED, 0, 4, 1), zstd);
  }

  @Test
  void batchFieldBeyondEnd() {
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    int size = holding(Codec.LZ4, inner).toBytes().length;
    checkLegacy(
        new Refusal(Reason.BATCH_FIELD_BEYOND_END, 0, size + 1L, size),
        holding(Codec.LZ4, inner).valueSizeError(1));
    for (int error : new int[] {101, Integer.MIN_VALUE}) {
      int keySize = error - 1;
      checkLegacy(
          new Refusal(Reason.BATCH_FIELD_BEYOND_END, 0, VALUE_AT + (long) keySize, size),
          holding(Codec.LZ4, inner).keySizeError(error));
    }
    checkLegacy(
        new Refusal(Reason.BATCH_FIELD_BEYOND_END, 0, 30, 26),
        LegacyMessage.of(1).attributes(Codec.GZIP.id()).key(null).value(null).cut(8));
    checkLegacy(
        new Refusal(Reason.BATCH_FIELD_BEYOND_END, 0, 34, 30),
        LegacyMessage.of(1).attributes(Codec.GZIP.id()).key(null).value(null).cut(4));
    checkLegacy(
        new Refusal(Reason.BATCH_FIELD_BEYOND_END, 0, 39, 34),
        LegacyMessage.of(1).attributes(Codec.GZIP.id()).key(null).value(new byte[5]).cut(5));
  }

  @Test
  void batchValueMissing() {
    LegacyMessage empty = LegacyMessage.of(1).attributes(Codec.GZIP.id()).value(null);
    checkLegacy(new Refusal(Reason.BATCH_VALUE_MISSING, 0, 1, 0), empty);
    Policy policy = Policy.builder(Origin.CLIENT).checkedByHost(true).build();
    assertFalse(validator.inspect(empty.value(new byte[0]).toBuffer(), policy, NOW, verdict));
    assertEquals(Reason.CODEC_HEADER_INVALID, verdict.reason(), "an empty value is a value");
  }

  @Test
  void recordCompressed() {
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[1].attributes(Codec.SNAPPY.id());
    checkLegacy(new Refusal(Reason.RECORD_COMPRESSED, VALUE_AT, 2, 0), holding(Codec.LZ4, inner));
    assertEquals(1, verdict.recordIndex());
  }

  @Test
  void recordMagicMismatch() {
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[1].magicByte(0);
    checkLegacy(
        new Refusal(Reason.RECORD_MAGIC_MISMATCH, VALUE_AT, 0, 1), holding(Codec.LZ4, inner));
    assertEquals(1, verdict.failureIndex(0));
    inner[1].crcError(1);
    checkLegacy(
        new Refusal(Reason.RECORD_MAGIC_MISMATCH, VALUE_AT, 0, 1), holding(Codec.LZ4, inner));
  }

  @Test
  void recordCrcMismatch() {
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    long crc = inner[1].toBuffer().getInt(LegacyLayout.CRC_OFFSET) & 0xFFFFFFFFL;
    inner[1].crcError(1);
    checkLegacy(
        new Refusal(Reason.RECORD_CRC_MISMATCH, VALUE_AT, crc ^ 1, crc), holding(Codec.LZ4, inner));
    assertEquals(1, verdict.recordIndex());
  }

  @Test
  void recordFieldBeyondEnd() {
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[1].key(null).value(null).cut(8);
    check(
        new Refusal(Reason.RECORD_FIELD_BEYOND_END, VALUE_AT, 18, 14),
        good(),
        holding(Codec.LZ4, inner).toBuffer(),
        policy -> policy.checkedByHost(true).compactedTopic(true));
    check(
        new Refusal(Reason.RECORD_FIELD_BEYOND_END, 0, 30, 26),
        good(),
        inner[1].toBuffer(),
        policy -> policy.checkedByHost(true).compactedTopic(true));
    Policy compacted =
        Policy.builder(Origin.CLIENT).checkedByHost(true).compactedTopic(true).build();
    assertFalse(validator.inspect(inner[1].cut(4).toBuffer(), compacted, NOW, verdict));
    assertEquals(Reason.RECORD_KEY_MISSING, verdict.reason(), "the size of the key is all there");
  }

  private static LegacyMessage holding(Codec codec, LegacyMessage... messages) {
    return LegacyMessage.holding(1, codec, messages);
  }

  private void checkLegacy(Refusal refusal, LegacyMessage bad) {
    ByteBuffer good = holding(Codec.LZ4, LegacyMessage.several(1, 2)).toBuffer();
    check(refusal, good, bad.toBuffer(), policy -> policy.checkedByHost(true));
  }

  @Test
  void batchCodecUnknown() {
    check(
        new Refusal(Reason.BATCH_CODEC_UNKNOWN, 0, 6, 0), good(), with(HeaderField.ATTRIBUTES, 6));
  }

  @Test
  void recordKeyMissing() {
    ByteBuffer bad = Batches.of(Codec.NONE, record(NOW), new SimpleRecord(NOW, new byte[1]));
    int second = FIRST_RECORD + Batches.plainRecords(record(NOW)).length;
    check(
        new Refusal(Reason.RECORD_KEY_MISSING, second, 0, 0),
        good(),
        bad,
        policy -> policy.compactedTopic(true));
    ByteBuffer empty = Batches.of(Codec.NONE, new SimpleRecord(NOW, new byte[0], new byte[1]));
    Policy compacted = Policy.builder(Origin.CLIENT).compactedTopic(true).build();
    assertTrue(validator.inspect(empty, compacted, NOW, verdict), "an empty key is a key");
    tellsOnlyTheFirstRuleThatARecordBreaks();
  }

  private void tellsOnlyTheFirstRuleThatARecordBreaks() {
    ByteBuffer bad = Batches.of(Codec.NONE, new SimpleRecord(NOW - 11, new byte[1]));
    Policy policy =
        Policy.builder(Origin.CLIENT).compactedTopic(true).timestampWindowMs(10, 20).build();
    assertFalse(validator.inspect(bad, policy, NOW, verdict));
    assertEquals(Reason.RECORD_KEY_MISSING, verdict.reason());
    assertEquals(1, verdict.failureTotal());
  }

  @Test
  void recordTimestampOutOfRange() {
    for (long early : new long[] {NOW - 11, NOW + 21}) {
      check(
          new Refusal(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, FIRST_RECORD, early, NOW),
          Batches.of(Codec.NONE, record(NOW - 10), record(NOW + 20)),
          Batches.of(Codec.NONE, record(early)),
          policy -> policy.timestampWindowMs(10, 20));
    }
  }

  @Test
  void recordTimestampTypeInvalid() {
    check(
        new Refusal(Reason.RECORD_TIMESTAMP_TYPE_INVALID, FIRST_RECORD, NOW, 0),
        good(),
        with(HeaderField.ATTRIBUTES, BatchLayout.TIMESTAMP_TYPE_MASK),
        policy -> policy.target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME)));
  }

  @Test
  void recordOffsetUnexpected() {
    ByteBuffer good = Batches.of(Codec.LZ4, record(NOW), record(NOW));
    ByteBuffer bad = Batches.of(Codec.LZ4, record(NOW), record(NOW));
    check(
        new Refusal(Reason.RECORD_OFFSET_UNEXPECTED, FIRST_RECORD, 7, 0),
        good,
        HeaderField.BASE_OFFSET.set(bad, 7),
        policy -> policy.checkedByHost(true));
  }

  @Test
  void recordOffsetOutOfOrder() {
    byte[] again = new RecordBytes().toBytes();
    ByteBuffer plain = ByteBuffer.allocate(2 * again.length).put(again).put(again);
    check(
        new Refusal(Reason.RECORD_OFFSET_OUT_OF_ORDER, FIRST_RECORD + again.length, 0, 0),
        good(),
        Batches.ofPlain(Codec.NONE, 2, plain.array()));
  }

  @Test
  void batchMaxTimestampMismatch() {
    check(
        new Refusal(Reason.BATCH_MAX_TIMESTAMP_MISMATCH, 0, NOW + 5, NOW),
        good(),
        with(HeaderField.MAX_TIMESTAMP, NOW + 5));
  }
}
