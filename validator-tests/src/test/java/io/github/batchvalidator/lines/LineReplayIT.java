// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines that a failed comparison printed, once more: {@code -Dlines.replay='HEAP ... b64:...'}. */
class LineReplayIT {
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void givenLine(KafkaLine line) {
    String given = System.getProperty("lines.replay", "");
    Assumptions.assumeFalse(given.isEmpty());
    Outcome outcome = LinePair.of(line).ask(Append.parse(given));
    assertTrue(
        outcome.differences().isEmpty() || LineDifference.of(outcome) != null, outcome::toString);
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    byte[] batch = Batches.ofPlain(Codec.ZSTD, 1, new RecordBytes().toBytes()).array();
    Append append = new Append(batch, BufferKind.DIRECT, Settings.of(Codec.ZSTD, Batches.nowMs()));
    Append parsed = Append.parse(append.toLine());
    assertEquals(append.toLine(), parsed.toLine());
    assertEquals(append.settings(), parsed.settings());
  }
}
