// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * A pattern for names of topics: {@code *} stands for any characters, also none, and {@code ?} for
 * one. A match takes at most as many steps as the lengths of both multiplied.
 *
 * @param text the pattern, or the name of a topic
 * @param section the section
 * @param line the line of the file
 * @param literals the number of characters that are no wildcards: the larger, the more specific
 */
record TopicPattern(String text, PolicySection section, int line, int literals) {
  /** The start of the names of internal topics, such as {@code __consumer_offsets}. */
  static final String INTERNAL = "__";

  /** The most specific pattern first, then the order of lines. */
  static final Comparator<TopicPattern> BY_PRECEDENCE =
      Comparator.comparingInt(TopicPattern::literals)
          .reversed()
          .thenComparingInt(TopicPattern::line);

  /** The maximum length of a topic's name in Kafka. */
  static final int MAX_LENGTH = 249;

  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._*?-]{1,249}");

  static boolean isLegal(String text) {
    return LEGAL.matcher(text).matches();
  }

  /** {@return a pattern of a section} */
  static TopicPattern of(String text, PolicySection section, int line) {
    int literals = (int) text.chars().filter(c -> c != '*' && c != '?').count();
    return new TopicPattern(text, section, line, literals);
  }

  /** {@return true if the pattern is written for internal topics} No other pattern matches them. */
  boolean isForInternal() {
    return text.startsWith(INTERNAL);
  }

  /** {@return true if the text is the name of one topic} */
  static boolean isExact(String text) {
    return text.indexOf('*') < 0 && text.indexOf('?') < 0;
  }

  boolean matches(String topic) {
    int at = 0;
    int in = 0;
    int star = -1;
    int resume = 0;
    while (in < topic.length()) {
      char next = at < text.length() ? text.charAt(at) : 0;
      if (next == '*') {
        star = at++;
        resume = in;
      } else if (next == '?' || next == topic.charAt(in)) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++resume;
      } else {
        return false;
      }
    }
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    return at == text.length();
  }
}
