// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.Proxies;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exceptions are for misuse of the API, and misuse leaves the bytes alone. */
class MisuseTest {
  private static final Target OLD_LOG = Target.PRODUCER.withMagic((byte) 1);
  private static final Policy MAGIC_1 = Policy.builder(Origin.REPLICATION).target(OLD_LOG).build();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private final ByteBuffer batch =
      Batches.of(Codec.ZSTD, new SimpleRecord(Batches.nowMs(), new byte[50]));

  @AfterEach
  void close() {
    validator.close();
  }

  @Test
  void aClosedValidatorInspectsNothing() {
    assertTrue(inspect());
    validator.close();
    assertThrows(IllegalStateException.class, this::inspect);
    assertEquals(0, validator.nativeBytes());
  }

  @Test
  void closingTwiceIsHarmless() {
    assertTrue(inspect());
    validator.close();
    assertDoesNotThrow(validator::close);
  }

  @Test
  void closingUnusedIsHarmless() {
    BatchValidator unused = BatchValidator.lowMemory();
    assertDoesNotThrow(unused::close);
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without null checks may do
  void nullIsRefused() {
    long now = Batches.nowMs();
    assertThrows(
        NullPointerException.class, () -> validator.inspect(null, Policy.CLIENT, now, verdict));
    assertThrows(NullPointerException.class, () -> validator.inspect(batch, null, now, verdict));
    assertThrows(
        NullPointerException.class, () -> validator.inspect(batch, Policy.CLIENT, now, null));
    assertTrue(inspect(), "the validator works on");
    assertThrows(
        NullPointerException.class,
        () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(now).assign(null, verdict));
    assertThrows(
        NullPointerException.class,
        () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(now).assign(batch, null));
  }

  @Test
  void onlyAnAcceptedBatchIsStamped() {
    assertThrows(
        IllegalStateException.class,
        () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(0).assign(batch, verdict));

    batch.put(batch.limit() - 1, (byte) ~batch.get(batch.limit() - 1));
    ByteBuffer before = Batches.copy(batch);
    assertFalse(inspect());

    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(0).assign(batch, verdict));
    assertTrue(String.valueOf(refused.getMessage()).contains("BATCH_CRC_MISMATCH"));
    assertEquals(before, batch);
  }

  @Test
  void aReadOnlyBufferIsNotStamped() {
    assertTrue(inspect());
    assertThrows(
        ReadOnlyBufferException.class,
        () ->
            new OffsetStamp()
                .firstOffset(0)
                .leaderEpoch(0)
                .nowMs(0)
                .assign(batch.asReadOnlyBuffer(), verdict));
  }

  private boolean inspect() {
    return validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict);
  }

  /** Two calls in the documented order, with two batches mixed up. */
  @Test
  void aVerdictStampsNoOtherBatch() {
    assertTrue(inspect());
    ByteBuffer other = Batches.of(Codec.ZSTD, new SimpleRecord(Batches.nowMs() - 1, new byte[50]));
    assertRefusesToStamp(other);
    assertEquals(
        5 + 1,
        new OffsetStamp()
            .firstOffset(5)
            .leaderEpoch(0)
            .nowMs(Batches.nowMs())
            .assign(batch, verdict));
  }

  @ParameterizedTest
  @EnumSource
  void aVerdictStampsNoBatchWhoseHeaderHasChanged(HeaderField field) {
    assertTrue(inspect());
    assertRefusesToStamp(field.set(Batches.copy(batch), field.get(batch) ^ 1));
  }

  /** Nobody has read an incomplete batch at the end, or the next message of magic 0 and 1. */
  @ParameterizedTest
  @EnumSource
  void aBufferWithMoreThanTheInspectedBatchIsNotStamped(Origin origin) {
    ByteBuffer cut = batch.duplicate().limit(batch.limit() - 1);
    Policy policy = Policy.builder(origin).build();
    assertMoreIsNotStamped(batch, cut, policy);
    if (origin == Origin.STORED) {
      assertMoreIsNotStamped(batch, batch, policy);
    }
    if (origin != Origin.CLIENT) { // clients send magic 2
      ByteBuffer message = LegacyMessage.of(1).toBuffer();
      assertMoreIsNotStamped(message, message, policy.toBuilder().target(OLD_LOG).build());
    }
  }

  private void assertMoreIsNotStamped(ByteBuffer first, ByteBuffer second, Policy policy) {
    ByteBuffer both =
        ByteBuffer.allocate(first.remaining() + second.remaining())
            .put(first.duplicate())
            .put(second.duplicate())
            .flip();
    assertTrue(validator.inspect(both, policy, Batches.nowMs(), verdict), verdict::toString);
    assertRefusesToStamp(both);
    both.limit(verdict.batchBytes());
    long next = 5L + verdict.recordCount();
    assertEquals(
        next,
        new OffsetStamp()
            .firstOffset(5)
            .leaderEpoch(6)
            .nowMs(Batches.nowMs())
            .assign(both, verdict));
  }

  @Test
  void offsetsDoNotOverflow() {
    assertTrue(inspect());
    ByteBuffer before = Batches.copy(batch);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new OffsetStamp()
                .firstOffset(Long.MAX_VALUE)
                .leaderEpoch(6)
                .nowMs(7)
                .assign(batch, verdict));
    assertEquals(before, batch);
    assertEquals(
        Long.MAX_VALUE,
        new OffsetStamp()
            .firstOffset(Long.MAX_VALUE - 1)
            .leaderEpoch(6)
            .nowMs(Batches.nowMs())
            .assign(batch, verdict));
  }

  /** Otherwise a forgotten value would be that of the batch before. */
  @Test
  void everyBatchNeedsItsOwnOffsetEpochAndTime() {
    assertTrue(inspect());
    OffsetStamp stamp = new OffsetStamp();
    ByteBuffer before = Batches.copy(batch);
    long now = Batches.nowMs();
    stamp.leaderEpoch(6).nowMs(now);
    assertThrows(IllegalStateException.class, () -> stamp.assign(batch, verdict));
    stamp.firstOffset(5).nowMs(now);
    assertThrows(IllegalStateException.class, () -> stamp.assign(batch, verdict));
    stamp.firstOffset(5).leaderEpoch(6);
    assertThrows(IllegalStateException.class, () -> stamp.assign(batch, verdict));
    assertEquals(before, batch);
    assertEquals(6, stamp.firstOffset(5).leaderEpoch(6).nowMs(now).assign(batch, verdict));
    assertThrows(IllegalStateException.class, () -> stamp.assign(batch, verdict));
  }

  @Test
  void aVerdictStampsNoOtherMessage() {
    ByteBuffer message = LegacyMessage.of(1).toBuffer();
    assertTrue(validator.inspect(message, MAGIC_1, Batches.nowMs(), verdict));
    ByteBuffer other = Batches.copy(message);
    other.put(LegacyLayout.CRC_OFFSET, (byte) ~other.get(LegacyLayout.CRC_OFFSET));
    assertRefusesToStamp(other);
    assertEquals(
        6,
        new OffsetStamp()
            .firstOffset(5)
            .leaderEpoch(0)
            .nowMs(Batches.nowMs())
            .assign(message, verdict));
  }

  private void assertRefusesToStamp(ByteBuffer other) {
    ByteBuffer before = Batches.copy(other);
    assertThrows(
        IllegalStateException.class,
        () -> new OffsetStamp().firstOffset(5).leaderEpoch(6).nowMs(7).assign(other, verdict));
    assertEquals(before, other);
  }

  /** As a host does that could not append at the first offset. */
  @Test
  void theSameBatchMayBeStampedAgain() {
    Policy appendTime =
        Policy.CLIENT.toBuilder()
            .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
            .build();
    ByteBuffer once = Batches.copy(batch);
    assertTrue(validator.inspect(batch, appendTime, Batches.nowMs(), verdict));
    new OffsetStamp().firstOffset(5).leaderEpoch(6).nowMs(7).assign(batch, verdict);
    new OffsetStamp().firstOffset(8).leaderEpoch(9).nowMs(10).assign(batch, verdict);
    assertTrue(validator.inspect(once, appendTime, Batches.nowMs(), verdict));
    new OffsetStamp().firstOffset(8).leaderEpoch(9).nowMs(10).assign(once, verdict);
    assertEquals(once, batch);
  }

  @Test
  void onlyItsOwnVerdictsAreFilled() {
    Verdict foreign = Proxies.of(Verdict.class, (proxy, method, arguments) -> true);
    assertThrows(
        IllegalArgumentException.class,
        () -> validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), foreign));
    assertThrows(
        IllegalArgumentException.class,
        () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(0).assign(batch, foreign));
  }

  @Test
  void aNewVerdictAcceptsNothing() {
    assertFalse(BatchValidator.newVerdict().accepted());
  }
}
