// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of magic 0 and 1 are inspected and stamped without allocating, refused ones too. */
@Tag("unvaried")
class LegacyAllocationTest {
  private static final int MESSAGES = 200;

  private final BatchValidator validator = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final OffsetStamp stamp = new OffsetStamp();
  private final MutableVerdict verdict = new MutableVerdict(MESSAGES);

  @AfterEach
  void close() {
    validator.close();
    lowMemory.close();
  }

  /** A message, and where it lies. */
  record Case(int magic, Codec codec, boolean direct, TimestampType type) {
    ByteBuffer batch() {
      LegacyMessage[] inner = LegacyMessage.several(magic, MESSAGES);
      inner[MESSAGES / 2].value(new byte[5000]);
      LegacyMessage message =
          codec == Codec.NONE ? inner[0] : LegacyMessage.holding(magic, codec, inner);
      return direct ? Batches.direct(message.toBuffer()) : message.toBuffer();
    }

    Policy policy() {
      return Policy.builder(Origin.COORDINATOR)
          .target(Target.PRODUCER.withMagic((byte) magic).withTimestampType(type))
          .build();
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Codec codec : List.of(Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4)) {
      for (TimestampType type : TimestampType.values()) {
        Stream.of(true, false)
            .forEach(
                direct -> {
                  cases.add(new Case(0, codec, direct, type));
                  cases.add(new Case(1, codec, direct, type));
                });
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAcceptedMessageCostsNothing(Case given) {
    for (BatchValidator each : List.of(validator, lowMemory)) {
      assertEquals(0, AllocationMeter.bytesPerCall(call(each, given)));
      assertTrue(verdict.accepted(), verdict.toString());
      assertEquals(given.magic() == 0 && given.codec() != Codec.NONE, verdict.needsRebuild());
      assertEquals(given.codec() == Codec.NONE ? 1 : MESSAGES, verdict.recordCount());
    }
  }

  /** A message that is larger than the window is put together in scratch memory. */
  @Test
  void largeMessagesAreRebuiltWithoutAllocation() {
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[1].value(new byte[100_000]);
    ByteBuffer batch = LegacyMessage.holding(1, Codec.GZIP, inner).toBuffer();
    Policy policy = Policy.builder(Origin.COORDINATOR).target(Target.of(Codec.LZ4)).build();
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      Runnable call =
          () -> {
            rebuilder.rebuild(batch, policy, Batches.nowMs(), verdict);
            rebuilder.batch();
          };
      assertEquals(0, AllocationMeter.bytesPerCall(call));
      assertTrue(verdict.accepted(), verdict.toString());
      assertEquals(3, verdict.recordCount());
    }
  }

  private Runnable call(BatchValidator each, Case given) {
    ByteBuffer batch = given.batch();
    Policy policy = given.policy();
    long now = Batches.nowMs();
    byte[] head = new byte[26];
    batch.get(0, head);
    return () -> {
      if (each.inspect(batch, policy, now, verdict) && !verdict.needsRebuild()) {
        stamp.firstOffset(4711).leaderEpoch(12).nowMs(now).assign(batch, verdict);
        batch.put(0, head);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"GZIP", "SNAPPY", "LZ4"})
  void aRefusedMessageCostsNothing(Codec codec) {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(1, MESSAGES));
    byte[] tooSmall = plain.clone();
    ByteBuffer.wrap(tooSmall).putInt(plain.length / MESSAGES * 7 + 8, 13);
    byte[] damaged = plain.clone();
    damaged[plain.length - 1]++;
    byte[] otherMagic = plain.clone();
    for (int i = 0; i < MESSAGES; i++) {
      otherMagic[plain.length / MESSAGES * i + 16] = 0;
    }
    assertRefused(codec, Reason.RECORD_SIZE_TOO_SMALL, tooSmall);
    assertRefused(codec, Reason.RECORD_CRC_MISMATCH, damaged);
    assertRefused(codec, Reason.RECORD_MAGIC_MISMATCH, otherMagic);
    assertEquals(MESSAGES, verdict.failureCount());
    assertRefused(codec, Reason.PAYLOAD_EMPTY, Arrays.copyOf(plain, 11));
  }

  private void assertRefused(Codec codec, Reason reason, byte[] plain) {
    ByteBuffer batch = LegacyMessage.holdingPlain(1, codec, plain).toBuffer();
    Policy policy = Policy.builder(Origin.COORDINATOR).build();
    long now = Batches.nowMs();
    Runnable call = () -> validator.inspect(batch, policy, now, verdict);
    assertEquals(0, AllocationMeter.bytesPerCall(call));
    assertEquals(reason, verdict.reason());
  }
}
