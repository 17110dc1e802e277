// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every limit at its boundary: what has exactly as much passes, what has one more is refused for
 * it. In all codecs, on and off the heap, at both levels, inspected and rebuilt.
 */
class LimitBoundaryTest {
  /** Attributes, two deltas, key and value with their sizes, without length and header count. */
  private static final int BODY_WITHOUT_VALUE = 6;

  private final List<BatchValidator> validators =
      List.of(new BatchValidator(), BatchValidator.lowMemory(), KafkaReads.validator());
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validators.forEach(BatchValidator::close);
    rebuilder.close();
  }

  private static Policy policy(Limits limits, Level level, int magic) {
    return Policy.builder(Origin.COORDINATOR)
        .limits(limits)
        .level(level)
        .target(Target.PRODUCER.withMagic((byte) magic))
        .build();
  }

  /** Asserts that the exact limit accepts, and that one less refuses and reports the value. */
  private void assertBoundary(ByteBuffer batch, Limit limit, long exact, Reason reason) {
    Limits enough = Limits.UNBOUNDED_AS_KAFKA.with(limit, exact);
    Limits tight = Limits.UNBOUNDED_AS_KAFKA.with(limit, exact - 1);
    for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
      ByteBuffer buffer = kind.holding(Batches.copy(batch).array(), (byte) 7);
      for (Level level : Level.values()) {
        for (BatchValidator validator : validators) {
          boolean accepted = validator.inspect(buffer, policy(enough, level, 2), now(), verdict);
          assertTrue(accepted, () -> kind + " " + level + ": " + verdict);
          assertFalse(validator.inspect(buffer, policy(tight, level, 2), now(), verdict));
          assertRefusedFor(reason, limit, exact);
        }
      }
      assertTrue(rebuilds(buffer, enough), () -> kind + ": " + verdict);
      assertFalse(rebuilds(buffer, tight));
      assertRefusedFor(reason, limit, exact);
    }
  }

  private boolean rebuilds(ByteBuffer batch, Limits limits) {
    Policy policy = policy(limits, Level.KAFKA, 2);
    return rebuilder.rebuild(batch, Batches.storing(policy, Codec.GZIP), now(), verdict)
        && verdict.accepted();
  }

  private void assertRefusedFor(Reason reason, Limit limit, long exact) {
    assertEquals(reason, verdict.reason(), verdict::toString);
    if (limit != Limit.RATIO) {
      assertEquals(exact - 1, verdict.secondOperand());
    }
    assertTrue(verdict.firstOperand() > verdict.secondOperand(), verdict::toString);
    assertFalse(verdict.decidedByRecords());
  }

  private static long now() {
    return Batches.nowMs();
  }

  private static ByteBuffer batch(Codec codec, RecordBytes... records) {
    return Batches.ofPlain(codec, records.length, plain(records));
  }

  private static byte[] plain(RecordBytes... records) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < records.length; i++) {
      out.writeBytes(records[i].offsetDelta(varint(i, 1)).toBytes());
    }
    return out.toByteArray();
  }

  private static RecordBytes value(int bytes) {
    return new RecordBytes().value(varint(bytes, 1), new byte[bytes]);
  }

  private static RecordBytes headers(int count, int valueBytes) {
    RecordBytes record = value(10).headerCount(varint(count, 1));
    for (int i = 0; i < count; i++) {
      record.header(new byte[] {'h'}, new byte[valueBytes]);
    }
    return record;
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void plainBytes(Codec codec) {
    for (int bytes : new int[] {10, 5_000, 300_000}) {
      RecordBytes[] records = {value(bytes), value(1), value(bytes)};
      int exact = plain(records).length;
      assertBoundary(batch(codec, records), Limit.PLAIN_BYTES, exact, Reason.LIMIT_PLAIN_BYTES);
    }
  }

  /** Behind the floor: the least ratio that the batch stays within, and one less. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void ratio(Codec codec) {
    RecordBytes[] records = {value(1), value(2 << 20), value(1)};
    ByteBuffer batch = batch(codec, records);
    int stored = batch.capacity() - BatchLayout.HEADER_BYTES;
    int exact = (plain(records).length + stored - 1) / stored;
    assertTrue(exact > 2, "nothing is compressed");
    assertBoundary(batch, Limit.RATIO, exact, Reason.LIMIT_RATIO);
    assertEquals((long) stored * (exact - 1), verdict.secondOperand());
  }

  /** One mebibyte is allowed whatever the ratio is; plain batches have the ratio 1. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void ratioHasAFloor(Codec codec) {
    int nearly = Limits.RATIO_FLOOR_BYTES - 20;
    int rest = plain(value(nearly)).length - nearly;
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RATIO, 1);
    for (int more = 0; more <= 1; more++) {
      ByteBuffer batch = batch(codec, value(Limits.RATIO_FLOOR_BYTES - rest + more));
      boolean accepted = more == 0 || codec == Codec.NONE;
      for (BatchValidator validator : validators) {
        assertEquals(
            accepted,
            validator.inspect(batch, policy(limits, Level.KAFKA, 2), now(), verdict),
            verdict::toString);
        assertEquals(accepted ? null : Reason.LIMIT_RATIO, verdict.reason());
      }
      assertEquals(accepted, rebuilds(batch, limits), verdict::toString);
    }
  }

  /** The verdict names the tighter of two limits on plain bytes. */
  @Test
  void theTighterOfTwoLimitsIsReported() {
    ByteBuffer batch = batch(Codec.ZSTD, value(3 << 20));
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RATIO, 1);
    for (BatchValidator validator : validators) {
      validator.inspect(
          batch,
          policy(limits.with(Limit.PLAIN_BYTES, (1 << 20) - 1), Level.KAFKA, 2),
          now(),
          verdict);
      assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason());
      validator.inspect(
          batch,
          policy(limits.with(Limit.PLAIN_BYTES, (1 << 20) + 1), Level.KAFKA, 2),
          now(),
          verdict);
      assertEquals(Reason.LIMIT_RATIO, verdict.reason());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void records(Codec codec) {
    RecordBytes[] records = {value(1), value(100), value(20), value(3000)};
    assertBoundary(batch(codec, records), Limit.RECORDS, 4, Reason.LIMIT_RECORDS);
  }

  /** The declared count is enough for a refusal: no record is read. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void recordsAreJudgedBeforeTheWalk(Codec codec) {
    ByteBuffer batch = Batches.ofPlain(codec, 1_000_000, plain(value(1)));
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORDS, 999_999);
    for (BatchValidator validator : validators) {
      validator.inspect(batch, policy(limits, Level.KAFKA, 2), now(), verdict);
      assertEquals(Reason.LIMIT_RECORDS, verdict.reason());
      assertEquals(0, verdict.recordCount());
    }
  }

  /** Messages inside a compressed one count as they are read; one that is cut does not count. */
  @ParameterizedTest
  @EnumSource(names = {"GZIP", "SNAPPY", "LZ4"})
  void messages(Codec codec) {
    for (int magic = 0; magic <= 1; magic++) {
      byte[] plain = LegacyMessage.join(LegacyMessage.several(magic, 5));
      byte[] cut = new byte[plain.length - 1];
      System.arraycopy(plain, 0, cut, 0, cut.length);
      checkMessages(LegacyMessage.holdingPlain(magic, codec, plain).offset(4), magic, 5);
      checkMessages(LegacyMessage.holdingPlain(magic, codec, cut).offset(3), magic, 4);
    }
  }

  private void checkMessages(LegacyMessage message, int magic, int count) {
    for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
      ByteBuffer buffer = kind.holding(message.toBytes(), (byte) 7);
      for (int limit = count - 1; limit <= count; limit++) {
        Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORDS, limit);
        Policy policy = policy(limits, Level.KAFKA, magic);
        for (BatchValidator validator : validators) {
          assertEquals(limit == count, validator.inspect(buffer, policy, now(), verdict));
          assertMessagesLimited(limit, count);
        }
        Policy storing = Batches.storing(policy, Codec.GZIP);
        assertEquals(limit == count, rebuilder.rebuild(buffer, storing, now(), verdict));
        assertMessagesLimited(limit, count);
      }
    }
  }

  private void assertMessagesLimited(int limit, int count) {
    assertEquals(limit == count ? null : Reason.LIMIT_RECORDS, verdict.reason());
    assertEquals(limit == count ? 0 : count, verdict.firstOperand());
    assertEquals(limit == count ? 0 : limit, verdict.secondOperand());
  }

  /** Short headers are read by words, long ones byte by byte, and both are counted. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void headers(Codec codec) {
    for (int valueBytes : new int[] {0, 3, 9_000}) {
      RecordBytes[] records = {value(1), headers(5, valueBytes), headers(2, valueBytes)};
      assertBoundary(batch(codec, records), Limit.HEADERS, 5, Reason.LIMIT_HEADERS);
      assertEquals(1, verdict.recordIndex());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void headerBytes(Codec codec) {
    for (int valueBytes : new int[] {0, 3, 9_000}) {
      RecordBytes[] records = {value(50), headers(2, valueBytes), headers(5, valueBytes), value(9)};
      int each = 2 + varint(valueBytes, 1).length + valueBytes;
      int exact = 5 * each;
      assertBoundary(batch(codec, records), Limit.HEADER_BYTES, exact, Reason.LIMIT_HEADER_BYTES);
      assertEquals(2, verdict.recordIndex());
    }
  }

  /** Records without headers pass if none are allowed, on the short and on the long path. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void noHeadersAtAll(Codec codec) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.HEADERS, 0).with(Limit.HEADER_BYTES, 0);
    ByteBuffer batch = batch(codec, value(1), value(70_000), value(3));
    for (BatchValidator validator : validators) {
      assertTrue(validator.inspect(batch, policy(limits, Level.STRICT, 2), now(), verdict));
    }
    assertTrue(rebuilds(batch, limits), verdict::toString);
  }

  /** A header that is far too long is not read to its end, nor one whose key is. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void headersAreNotReadBeyondTheirLimit(Codec codec) {
    int large = 5 << 20;
    RecordBytes value = headers(1, large);
    RecordBytes key = value(10).headerCount(varint(1, 1)).header(new byte[large], new byte[3]);
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.HEADER_BYTES, 100);
    for (RecordBytes record : new RecordBytes[] {value, key}) {
      ByteBuffer batch = batch(codec, record);
      for (BatchValidator validator : validators) {
        for (Level level : Level.values()) {
          assertFalse(validator.inspect(batch, policy(limits, level, 2), now(), verdict));
          assertEquals(Reason.LIMIT_HEADER_BYTES, verdict.reason());
          assertEquals(101, verdict.firstOperand());
          assertTrue(verdict.plainPosition() < 200, verdict::toString);
        }
      }
    }
  }

  /** Nor is a record that takes more than it declares. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aRecordIsNotReadBeyondItsLimit(Codec codec) {
    int large = 5 << 20;
    byte[] size = varint(large, 1);
    RecordBytes[] lies = {
      value(1).key(size, new byte[large]), value(large), headers(1, large), headers(2000, 2000)
    };
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, 1_000);
    for (RecordBytes record : lies) {
      ByteBuffer batch = batch(codec, record.length(varint(20, 1)));
      for (BatchValidator validator : validators) {
        for (Level level : Level.values()) {
          assertFalse(validator.inspect(batch, policy(limits, level, 2), now(), verdict));
          assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason(), verdict::toString);
          assertTrue(verdict.firstOperand() <= 1_005, verdict::toString);
          assertTrue(verdict.plainPosition() <= 1_010, verdict::toString);
        }
      }
    }
  }

  /** A limit ends before a number of which each window or block of plain bytes has a part. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void aLimitMayEndBeforeANumberThatIsInTwoWindows(Codec codec) {
    for (int window = 1 << 11; window <= 1 << 17; window <<= 1) {
      for (int end = window - 5; end <= window; end++) {
        RecordBytes headers = value(1).headerCount(varint(2, 1));
        int before = plain(headers.length(varint(20, 1))).length;
        byte[] key = new byte[end - before - 3];
        headers.headerPart(varint(key.length, 3), key).headerPart(varint(0, 5), new byte[0]);
        headers.header(new byte[0], new byte[0]);
        assertRefusedByAll(batch(codec, headers), Limit.HEADER_BYTES, end - before);
        byte[] value = new byte[end - BODY_WITHOUT_VALUE - 3];
        RecordBytes counted =
            new RecordBytes().value(varint(value.length, 3), value).headerCount(varint(2, 5));
        counted.header(new byte[0], new byte[0]).header(new byte[0], new byte[0]);
        if (codec != Codec.NONE) { // the records of a plain batch are not held
          assertRefusedByAll(
              batch(codec, counted.length(varint(20, 1))), Limit.RECORD_BYTES, end - 1);
        }
      }
    }
  }

  private void assertRefusedByAll(ByteBuffer batch, Limit limit, int most) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(limit, most);
    Reason reason =
        limit == Limit.HEADER_BYTES ? Reason.LIMIT_HEADER_BYTES : Reason.LIMIT_RECORD_BYTES;
    for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
      ByteBuffer buffer = kind.holding(Batches.copy(batch).array(), (byte) 7);
      for (Level level : Level.values()) {
        for (BatchValidator validator : validators) {
          assertFalse(validator.inspect(buffer, policy(limits, level, 2), now(), verdict));
          assertRefusedFor(reason, limit, most + 1);
        }
      }
    }
  }

  /** The codec's own memory is compared with what it asks for. */
  @Test
  void codecMemory() {
    ByteBuffer snappy =
        Batches.ofPayload(Codec.SNAPPY, 1, snappyBlock(plain(value(70_000 - BODY_WITHOUT_VALUE))));
    int block = plain(value(70_000 - BODY_WITHOUT_VALUE)).length;
    assertBoundary(snappy, Limit.CODEC_MEMORY_BYTES, block, Reason.LIMIT_CODEC_MEMORY);
  }

  private static byte[] snappyBlock(byte[] plain) {
    try {
      return org.xerial.snappy.Snappy.compress(plain);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
