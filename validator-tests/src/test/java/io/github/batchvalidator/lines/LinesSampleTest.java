// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The same comparison as {@link LinesDifferentialTest} over so few appends that {@code
 * config/mutation} can afford it for each mutant. On one line, which has the limit on records.
 */
class LinesSampleTest {
  @Property(tries = 60, seed = "20261121")
  void oursAnswersWhatStockAnswers(@ForAll("drafts") Draft draft) {
    LineReport report = new LineReport();
    LineFamilies.compare(draft, report, KafkaLine.V4_4);
    assertEquals(0, report.unexplained(), report::toText);
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }
}
