// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state of a verdict, the reason that decides it, and its text. */
class VerdictTest {
  private static final byte[] VALUE = new byte[10];
  private static final byte[] KEY = {1};

  private final MutableVerdict verdict = new MutableVerdict();

  @Test
  void aNewVerdictAcceptsNothing() {
    assertFalse(verdict.accepted());
    assertNull(verdict.reason());
    assertNull(verdict.codec());
    assertNull(verdict.timestampType());
    assertEquals(Verdict.NO_RECORD, verdict.recordIndex());
    assertEquals(-1, verdict.plainPosition());
    assertEquals(-1, verdict.maxTimestamp());
  }

  @Test
  void theHeapOfTheFailuresIsStated() {
    MutableVerdict many = new MutableVerdict(1_000);
    for (int i = 0; i < 1_000; i++) {
      many.walk().fail(Reason.RECORD_KEY_MISSING, i, i, 0, 0);
    }
    assertTrue(many.heapBytes() >= 1_000 * Long.BYTES, () -> many.heapBytes() + " bytes");
    assertTrue(many.heapBytes() > new MutableVerdict(3).heapBytes());
  }

  @Test
  void failuresBeyondTheCapAreCounted() {
    MutableVerdict small = new MutableVerdict(3);
    for (int i = 0; i < 10; i++) {
      small.walk().fail(Reason.RECORD_KEY_MISSING, 2 * i, 100L * i, 0, 0);
    }
    assertEquals(10, small.failureTotal());
    assertEquals(3, small.failureCount());
    assertEquals(4, small.failureIndex(2));
    assertEquals(200, small.failurePlainPosition(2));
    assertEquals(Reason.RECORD_KEY_MISSING, small.failureReason(2));
    assertThrows(IndexOutOfBoundsException.class, () -> small.failureIndex(3));
    assertThrows(IndexOutOfBoundsException.class, () -> small.failureReason(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> small.failurePlainPosition(3));
    assertThrows(IndexOutOfBoundsException.class, () -> small.describeFailure(3));
  }

  @Test
  void aVerdictWithoutRoomForFailuresStillDecides() {
    MutableVerdict none = new MutableVerdict(0);
    none.walk().fail(Reason.RECORD_KEY_MISSING, 7, 70, 0, 0);
    assertEquals(Reason.RECORD_KEY_MISSING, none.reason());
    assertEquals(7, none.recordIndex());
    assertEquals(1, none.failureTotal());
    assertEquals(0, none.failureCount());
  }

  @Test
  void theFirstFailureDecides() {
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 1, 10, 0, 0);
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 2, 20, 0, 0);
    assertEquals(1, verdict.recordIndex());
    assertEquals(10, verdict.plainPosition());
  }

  @Test
  void theFirstInvalidTimestampOutweighsWhatCameBefore() {
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 1, 10, 0, 0);
    verdict.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, 2, 20, 5, 6);
    verdict.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, 3, 30, 7, 8);
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 4, 40, 0, 0);
    assertEquals(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, verdict.reason());
    assertEquals(2, verdict.recordIndex());
    assertEquals(5, verdict.firstOperand());
    assertEquals(6, verdict.secondOperand());
    assertEquals(4, verdict.failureTotal());
    assertEquals(Reason.RECORD_KEY_MISSING, verdict.failureReason(0));
  }

  @Test
  void anUnreadablePayloadOutweighsFailingRecords() {
    verdict.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, 2, 20, 5, 6);
    assertFalse(verdict.refuse(Reason.PAYLOAD_BYTES_LEFT, 61, 3, 0));
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, verdict.reason());
    assertFalse(verdict.decidedByRecords());
    assertEquals(Verdict.NO_RECORD, verdict.recordIndex());
    assertEquals(1, verdict.failureTotal());
    assertEquals(2, verdict.failureIndex(0));
    verdict.walk().forgetFailure(3);
    assertEquals(1, verdict.failureCount());
    verdict.walk().forgetFailure(2);
    assertEquals(0, verdict.failureCount());
    verdict.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, 4, 20, 5, 6);
    verdict.walk().forgetFailures();
    assertEquals(0, verdict.failureCount());
  }

  /** Nor is a record that did not fail one that failed, when the same verdict was used before. */
  @Test
  void withoutFailuresThereIsNothingToForget() {
    verdict.walk().forgetFailure(0);
    assertEquals(0, verdict.failureTotal());
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 1, 50, 0, 0);
    verdict.reset(Policy.CLIENT);
    verdict.walk().forgetFailure(1);
    assertEquals(0, verdict.failureTotal());
  }

  @Test
  void roomForFailuresGrowsUpToTheCap() {
    MutableVerdict some = new MutableVerdict(50);
    for (int i = 0; i < 60; i++) {
      some.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, i, 10L * i, i, 2L * i);
    }
    assertEquals(60, some.failureTotal());
    assertEquals(50, some.failureCount());
    for (int i = 0; i < 50; i++) {
      assertEquals(i, some.failureIndex(i));
      assertEquals(10L * i, some.failurePlainPosition(i));
      assertEquals("timestamp " + i + " is too far from now, " + 2 * i, some.describeFailure(i));
    }
    some.reset(Policy.CLIENT);
    assertEquals(0, some.failureCount());
  }

  @Test
  void anInspectionFillsIt() {
    SimpleRecord good = new SimpleRecord(Batches.nowMs(), KEY, VALUE);
    SimpleRecord late = new SimpleRecord(Batches.nowMs() + 9, KEY, VALUE);
    SimpleRecord keyless = new SimpleRecord(Batches.nowMs(), VALUE);
    ByteBuffer batch = Batches.of(Codec.SNAPPY, good, keyless, late, keyless, late);
    Policy policy =
        Policy.builder(Origin.CLIENT).compactedTopic(true).timestampWindowMs(0, 0).build();
    try (BatchValidator validator = new BatchValidator()) {
      validator.inspect(batch, policy, Batches.nowMs(), verdict);
    }
    assertEquals(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, verdict.reason());
    assertEquals(2, verdict.recordIndex());
    assertEquals(4, verdict.failureTotal());
    assertTrue(verdict.decidedByRecords());
    assertEquals(2, verdict.magic());
    assertEquals(verdict.plainBytes(), verdict.declaredBytes());
    assertFalse(verdict.needsRebuild());
    assertEquals(Codec.SNAPPY, verdict.codec());
    assertEquals(5, verdict.recordCount());
    assertEquals(TimestampType.CREATE_TIME, verdict.timestampType());
    assertEquals(batch.remaining(), verdict.batchBytes());
    assertEquals(
        "timestamp " + (Batches.nowMs() + 9) + " is too far from now, " + Batches.nowMs(),
        verdict.describeFailure(1));
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void resetForgetsEverything(Reason reason) {
    verdict.batch(100, (byte) 2);
    verdict.rebuild(RebuildCause.OTHER_MAGIC);
    verdict.walk().declared(8);
    verdict.header(Codec.LZ4, true, TimestampType.LOG_APPEND_TIME);
    verdict.walk().records(5, 6, 7);
    verdict.refuse(reason, 9, 10, 11);
    verdict.locate(12, 13);
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 1, 10, 0, 0);
    verdict.findings().add(Reason.RECORD_TIMESTAMP_NEGATIVE, 61, 1, 10, -5, 0);
    verdict.conclude();
    verdict.reset(Policy.CLIENT.toBuilder().section("orders").build());
    assertEquals("orders", verdict.section());
    verdict.reset(Policy.CLIENT);
    assertEquals(Policy.DEFAULT_SECTION, verdict.section());
    assertEquals(0, verdict.findings().count());
    assertFalse(verdict.findings().has(Reason.RECORD_TIMESTAMP_NEGATIVE));
    aNewVerdictAcceptsNothing();
    assertEquals(0, verdict.position());
    assertEquals(0, verdict.firstOperand());
    assertEquals(0, verdict.secondOperand());
    assertEquals(0, verdict.batchBytes());
    assertEquals(0, verdict.recordCount());
    assertEquals(0, verdict.plainBytes());
    assertEquals(0, verdict.failureTotal());
    assertEquals(0, verdict.magic());
    assertEquals(0, verdict.declaredBytes());
    assertFalse(verdict.decidedByRecords());
    assertFalse(verdict.needsRebuild());
    assertFalse(verdict.control());
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void everyReasonHasItsSentence(Reason reason) {
    for (long operand : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFF_FFFFL}) {
      verdict.refuse(reason, 17, operand, operand);
      String sentence = verdict.describe();
      assertFalse(sentence.isBlank());
      assertFalse(sentence.contains("%"), sentence);
      assertEquals(reason.name() + " at byte 17: " + sentence, verdict.toString());
    }
  }

  /** Sentences show their operands in their order; of a limit both what it is and what came. */
  @Test
  void operandsAreShown() {
    int[] sentences = new int[3];
    for (Reason reason : Reason.values()) {
      String sentence = reason.describe(0x1234_5678, 0x0765_4321);
      int first = Math.max(sentence.indexOf("305419896"), sentence.indexOf("12345678"));
      int second = Math.max(sentence.indexOf("124076833"), sentence.indexOf("07654321"));
      int shown = second >= 0 ? 2 : first >= 0 ? 1 : 0;
      assertTrue(shown < 2 || (first >= 0 && second > first), sentence);
      assertTrue(shown == 2 || !reason.name().startsWith("LIMIT_"), sentence);
      sentences[shown] += reason.isTopicRule() ? 0 : 1; // TopicExamplesTest reads those
    }
    assertEquals(
        "[12, 37, 38]",
        Arrays.toString(sentences),
        "sentences with 0, 1 and 2 operands: count a new one here; otherwise one lost an operand");
  }

  @Test
  void checksumsAreShownAsHexDigits() {
    assertEquals(
        "the stored CRC is 0000000f, the bytes have ffffffff",
        Reason.BATCH_CRC_MISMATCH.describe(0xF, 0xFFFF_FFFFL));
  }

  @Test
  void anAcceptedBatchSaysSo() {
    assertEquals("not inspected to the end", verdict.describe());
    verdict.conclude();
    assertEquals("accepted", verdict.describe());
    assertEquals("accepted", verdict.toString());
    verdict.rebuild(RebuildCause.OTHER_MAGIC);
    assertEquals("accepted, needs a rebuild: OTHER_MAGIC", verdict.toString());
  }

  @Test
  void aRebuiltBatchNeedsNoRebuild() {
    ByteBuffer batch = Batches.of(Codec.LZ4, new SimpleRecord(Batches.nowMs(), VALUE));
    Policy toZstd = Policy.builder(Origin.CLIENT).target(Target.of(Codec.ZSTD)).build();
    try (BatchValidator validator = new BatchValidator();
        BatchRebuilder rebuilder = new BatchRebuilder()) {
      assertTrue(validator.inspect(batch, toZstd, Batches.nowMs(), verdict));
      assertTrue(verdict.needsRebuild());
      assertFalse(verdict.rebuilt());
      assertTrue(rebuilder.rebuild(batch, toZstd, Batches.nowMs(), verdict));
      assertFalse(verdict.needsRebuild());
      assertTrue(verdict.rebuilt());
      assertEquals(RebuildCause.OTHER_CODEC, verdict.rebuildCause());
      assertEquals("accepted, rebuilt: OTHER_CODEC", verdict.describe());
      assertTrue(validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
      assertFalse(verdict.needsRebuild() || verdict.rebuilt());
    }
  }

  /** Findings about the batch belong to the verdict, results about records to the walk. */
  @Test
  void aWalkThatStartsAgainForgetsOnlyItsRecords() {
    verdict.header(Codec.SNAPPY, true, TimestampType.LOG_APPEND_TIME);
    verdict.rebuild(RebuildCause.OTHER_CODEC);
    verdict.violate(Reason.TOPIC_CODEC_NOT_ALLOWED, 2);
    verdict.findings().add(Reason.BATCH_ATTRIBUTES_RESERVED, 21, 128, 0);
    verdict.walk().fail(Reason.RECORD_KEY_MISSING, 1, 10, 0, 0);
    verdict.walk().violations().add(Reason.TOPIC_VALUE_MISSING, 1, 10, 0, 0);
    verdict.walk().records(5, 6, 7);
    verdict.walk().restart();
    assertNull(verdict.reason());
    assertEquals(0, verdict.failureTotal());
    assertEquals(0, verdict.recordCount());
    assertEquals(Codec.SNAPPY, verdict.codec());
    assertTrue(verdict.control());
    assertEquals(RebuildCause.OTHER_CODEC, verdict.rebuildCause());
    assertTrue(verdict.findings().has(Reason.BATCH_ATTRIBUTES_RESERVED));
    assertFalse(verdict.enforceTopic());
    assertEquals(Reason.TOPIC_CODEC_NOT_ALLOWED, verdict.reason());
    assertEquals(Verdict.NO_RECORD, verdict.recordIndex());
  }
}
