// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;
import java.util.Locale;

/**
 * The sentence of a reason, with the header keys and codecs of a topic's rules instead of their
 * numbers. Allocates; never used between entry and verdict.
 */
public final class ReasonText {
  private ReasonText() {}

  static String of(Reason why, long first, long second, TopicRules rules) {
    StringBuilder text = new StringBuilder();
    append(why, first, second, rules, text);
    return text.toString();
  }

  /**
   * Appends the sentence.
   *
   * @param why the reason
   * @param first the first operand
   * @param second the second operand
   * @param rules the rules that the batch was inspected by
   * @param text the builder
   */
  public static void append(
      Reason why, long first, long second, TopicRules rules, StringBuilder text) {
    List<String> keys =
        switch (why) {
          case TOPIC_HEADER_MISSING -> rules.get(TopicRule.HEADERS_REQUIRED);
          case TOPIC_HEADER_FORBIDDEN -> rules.get(TopicRule.HEADERS_FORBIDDEN);
          default -> List.of();
        };
    if (first >= 0 && first < keys.size()) {
      boolean isMissing = why == Reason.TOPIC_HEADER_MISSING;
      text.append(isMissing ? "the record lacks required" : "the record has forbidden");
      text.append(" header \"").append(keys.get((int) first)).append("\" of the topic");
      return;
    }
    why.describe(first, second, text);
    boolean isCodec = why == Reason.TOPIC_CODEC_NOT_ALLOWED && first >= 0 && first <= 7;
    Codec codec = isCodec ? Codec.byId((int) first) : null;
    if (codec != null) {
      text.append(" (").append(codec.name().toLowerCase(Locale.ROOT)).append(')');
    }
  }
}
