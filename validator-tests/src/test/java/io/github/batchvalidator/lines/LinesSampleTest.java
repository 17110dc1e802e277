// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The same comparison as {@link LinesDifferentialTest} over so few appends that {@code
 * config/mutation} can afford it for each mutant. On one line, which has the limit on records.
 */
class LinesSampleTest {
  private static final LineReport REPORT = new LineReport();

  @Property(tries = 60, seed = "20261121")
  void oursAnswersWhatStockAnswers(@ForAll("drafts") Draft draft) {
    LineFamilies.compare(draft, REPORT, KafkaLine.V4_4);
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }
}
