// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The result of a comparison.
 *
 * @param outcome what the answer was, for the summary
 * @param explained the known difference that was seen, or null
 * @param difference what nothing explains, or null
 */
record Judgment(String outcome, @Nullable String explained, @Nullable String difference) {
  static Judgment same(String outcome) {
    return new Judgment(outcome, null, null);
  }

  static Judgment explained(String outcome, String name) {
    return new Judgment(outcome, name, null);
  }

  /** Returns the judgment of a batch that may exceed a limit and is rejected for a limit. */
  static Judgment ofLimit(Answer stock) {
    String outcome = "refused for a limit";
    return stock.accepted()
        ? same(outcome)
        : explained(outcome, SpecificationDifference.LIMIT_AND_OTHER_FAULT.name());
  }

  static Judgment differs(String outcome, String text) {
    return new Judgment(outcome, null, text);
  }
}
