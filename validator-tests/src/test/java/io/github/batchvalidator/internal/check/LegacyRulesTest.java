// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import org.junit.jupiter.api.Test;

/** The rules for a message inside a compressed one. */
final class LegacyRulesTest {
  private static final Policy POLICY = Policy.builder(Origin.COORDINATOR).build();

  private final LegacyHeader outer = new LegacyHeader();
  private final ByteWindow window = new ByteWindow();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();
  private final RecordRules recordRules = new RecordRules();
  private final MutableVerdict verdict = new MutableVerdict();

  private void moveTo(LegacyMessage message) {
    outer.read(LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.of(1)).toBuffer(), 0);
    recordRules.begin(outer, POLICY, Batches.nowMs());
    byte[] plain = message.toBytes();
    window.wrap(plain, 0, plain.length);
    messages.open(window, outer, Limits.UNBOUNDED_AS_KAFKA, true);
    assertTrue(messages.next());
    verdict.reset(Policy.CLIENT);
  }

  private boolean isReadable(LegacyMessage message) {
    moveTo(message);
    boolean readable = LegacyRules.checkReadable(messages, verdict);
    assertEquals(readable, verdict.reason() == null);
    return readable;
  }

  @Test
  void readableIsWhatHasItsFieldsAndIsNotCompressed() {
    assertTrue(isReadable(LegacyMessage.of(1)));
    assertTrue(isReadable(LegacyMessage.of(1).valueSizeError(-1)), "ends behind its fields");
    assertFalse(isReadable(LegacyMessage.of(1).valueSizeError(1)));
    assertEquals(Reason.RECORD_FIELD_BEYOND_END, verdict.reason());
    assertFalse(isReadable(LegacyMessage.of(1).attributes(1)));
    assertEquals(Reason.RECORD_COMPRESSED, verdict.reason());
  }

  private boolean isJudged(LegacyMessage message) {
    moveTo(message);
    return LegacyRules.checkMessage(messages, outer, recordRules, verdict);
  }

  /** The rules for records also check the offset, but not of a message that is wrong itself. */
  @Test
  void theRulesForRecordsHaveTheirTurnUnlessTheMessageItselfIsWrong() {
    assertTrue(isJudged(LegacyMessage.of(1)));
    assertTrue(isJudged(LegacyMessage.of(1).key(null)));
    assertFalse(isJudged(LegacyMessage.of(0)));
    assertEquals(Reason.RECORD_MAGIC_MISMATCH, verdict.reason());
    assertFalse(isJudged(LegacyMessage.of(1).crcError(1)));
    assertEquals(Reason.RECORD_CRC_MISMATCH, verdict.reason());
  }
}
