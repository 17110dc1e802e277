// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRule;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of a section of a policy file, and their legal values. */
final class PolicyKeys {
  static final String MATCH = "match";
  static final String LEVEL = "level";
  static final String COMPACTED_LEVEL = "compacted.level";
  static final String OBSERVE = "observe";
  static final String LIMITS = "limits";

  /** The legal values of each key, in the order of the documentation. */
  static final Map<String, String> LEGAL = legal();

  private PolicyKeys() {}

  private static Map<String, String> legal() {
    Map<String, String> legal = new LinkedHashMap<>();
    legal.put(MATCH, "a list of topics or patterns with * and ?");
    legal.put(LEVEL, ValueSyntax.LEVEL.legal());
    legal.put(COMPACTED_LEVEL, ValueSyntax.LEVEL.legal());
    legal.put(OBSERVE, ValueSyntax.FLAG.legal());
    legal.put(LIMITS, Limits.PRESET_NAMES);
    for (Limit limit : Limit.values()) {
      legal.put(nameOf(limit), limit.legalValues());
    }
    for (TopicRule<?> rule : TopicRule.all()) {
      legal.put(rule.key(), ValueSyntax.of(rule).legal());
    }
    return legal;
  }

  /** {@return the key of a limit} */
  static String nameOf(Limit limit) {
    return LIMITS + "." + limit.label();
  }
}
