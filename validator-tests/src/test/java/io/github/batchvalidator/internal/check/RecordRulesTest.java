// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Each rule by itself: it returns true and tells nothing, or false and tells its reason. */
final class RecordRulesTest {
  private static final long NOW = Batches.nowMs();
  private static final Policy POLICY =
      Policy.builder(Origin.CLIENT).timestampWindowMs(10, 20).build();

  private final MutableVerdict verdict = new MutableVerdict();
  private final RecordRules rules = new RecordRules();

  private void begin(boolean logAppendTime) {
    ByteBuffer batch = Batches.ofPlain(Codec.GZIP, 1, new RecordBytes().toBytes());
    batch.putShort(21, (short) (logAppendTime ? 8 | 1 : 1));
    BatchHeader header = new BatchHeader();
    header.read(batch, 0);
    rules.begin(header, POLICY, true, NOW);
    verdict.reset(Policy.CLIENT);
  }

  private void passes(boolean returned) {
    assertTrue(returned);
    assertEquals(0, verdict.failureTotal());
  }

  private void fails(Reason reason, boolean returned) {
    assertFalse(returned, reason.name());
    assertEquals(1, verdict.failureTotal());
    assertEquals(reason, verdict.reason());
    verdict.reset(Policy.CLIENT);
  }

  @Test
  void timestamps() {
    begin(false);
    passes(rules.recordTimestampOutOfRange(0, 0, NOW - 10, verdict));
    passes(rules.recordTimestampOutOfRange(0, 0, NOW + 20, verdict));
    fails(
        Reason.RECORD_TIMESTAMP_OUT_OF_RANGE,
        rules.recordTimestampOutOfRange(0, 0, NOW + 21, verdict));
    passes(rules.recordTimestampTypeInvalid(0, 0, NOW, verdict));
    begin(true);
    fails(
        Reason.RECORD_TIMESTAMP_TYPE_INVALID, rules.recordTimestampTypeInvalid(0, 0, NOW, verdict));
  }

  @Test
  void offsets() {
    begin(false);
    passes(rules.recordOffsetOutOfOrder(0, 0, 0, verdict));
    fails(Reason.RECORD_OFFSET_OUT_OF_ORDER, rules.recordOffsetOutOfOrder(1, 9, 0, verdict));
    passes(rules.recordOffsetUnexpected(0, 0, 0));
    assertFalse(rules.recordOffsetUnexpected(1, 9, 5));
    passes(rules.recordOffsetUnexpected(2, 18, 5));
  }

  /** Offsets of magic 0 are absolute, and end with that of the message that holds the others. */
  @Test
  void offsetsBehindThatOfTheMessageThatHoldsThem() {
    LegacyHeader outer = new LegacyHeader();
    for (int magic = 0; magic <= 1; magic++) {
      LegacyMessage[] inner = LegacyMessage.several(magic, 2);
      outer.read(LegacyMessage.holding(magic, Codec.GZIP, inner).toBuffer(), 0);
      rules.begin(outer, POLICY, NOW);
      verdict.reset(Policy.CLIENT);
      passes(rules.recordOffsetOutOfOrder(0, 0, 1, verdict));
      boolean returned = rules.recordOffsetOutOfOrder(1, 0, 2, verdict);
      if (magic == 0) {
        fails(Reason.RECORD_OFFSET_OUT_OF_ORDER, returned);
      } else {
        passes(returned);
      }
    }
  }
}
