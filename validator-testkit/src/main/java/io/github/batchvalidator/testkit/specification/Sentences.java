// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Reason;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/** Recognizes reasons by the texts that producers get. */
final class Sentences {
  private static final Map<Reason, String> STARTS = new EnumMap<>(Reason.class);

  static {
    for (Reason reason : Reason.values()) {
      STARTS.put(reason, start(reason.describe(0, 0)));
    }
  }

  private Sentences() {}

  /** Returns the sentence up to its first number. */
  private static String start(String sentence) {
    int at = 0;
    while (at < sentence.length() && !Character.isDigit(sentence.charAt(at))) {
      at++;
    }
    return sentence.substring(0, at);
  }

  static boolean isAbout(String text, Reason reason) {
    return text.contains(STARTS.getOrDefault(reason, reason.name()));
  }

  static boolean isAboutAny(String text, Collection<Reason> reasons) {
    return reasons.stream().anyMatch(reason -> isAbout(text, reason));
  }

  /** By the end of the sentence: two rules about headers start alike. */
  static boolean isOurLimit(String text) {
    return text.contains(", the limit is ") || text.contains(", its compressed size allows ");
  }

  /** A text of Kafka's limit of a record, too. */
  static boolean isLimit(String text) {
    return isOurLimit(text)
        || text.contains("maximum record size")
        || text.contains("Invalid record size: -");
  }
}
