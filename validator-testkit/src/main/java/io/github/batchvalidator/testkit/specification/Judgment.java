// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import org.jspecify.annotations.Nullable;

/**
 * What a comparison came to.
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

  static Judgment differs(String outcome, String text) {
    return new Judgment(outcome, null, text);
  }
}
