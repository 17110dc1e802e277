// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * At least 100,000 appends over the whole space of the validator: on each line ours answers what
 * stock answers, or the difference is known. The same ones each time; {@code scripts/differential}
 * runs others, as many as one likes.
 */
class LinesDifferentialIT {
  private static final long LEAST_INPUTS = 100_000;
  private static final LineReport REPORT = new LineReport();

  @Property(tries = 1_800, seed = "20261121")
  void oursAnswersWhatStockAnswers(@ForAll("drafts") Draft draft) {
    LineFamilies.compare(draft, REPORT);
    assertEquals(0, REPORT.unexplained(), REPORT::toText);
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }

  /** The generator goes everywhere, or the property proves little. */
  @AfterContainer
  static void manyInputsOfAllKinds() {
    assertTrue(REPORT.inputs() >= LEAST_INPUTS, () -> "only " + REPORT.inputs());
    assertEquals(Set.of(KafkaLine.values()), REPORT.byLine().keySet());
    assertTrue(REPORT.byAnswer().keySet().containsAll(KINDS), REPORT::toText);
  }

  private static final Set<String> KINDS =
      Set.of(
          "accepted, in place",
          "accepted, written anew",
          "refused: CorruptRecordException",
          "refused: InvalidRecordException",
          "refused: KafkaException",
          "refused: RecordValidationException of InvalidRecordException",
          "refused: RecordValidationException of InvalidTimestampException",
          "refused: UnsupportedCompressionTypeException",
          "refused: UnsupportedForMessageFormatException");
}
