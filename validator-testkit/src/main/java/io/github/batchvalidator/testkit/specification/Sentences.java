// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes reasons by the texts that producers get: topic rules, level STRICT and limits. Other
 * reasons share sentences, and brokers word most of them as Kafka does.
 */
final class Sentences {
  private static final String BATCH = "Batch for ";
  private static final String REFUSED = " is refused: ";

  // Numbers whose digits no sentence contains, neither in decimal nor in hexadecimal.
  private static final long FIRST = 1_234_567_890_123L;
  private static final long SECOND = 9_876_543_210_987L;

  private static final Map<Reason, Pattern> PATTERNS = new EnumMap<>(Reason.class);

  static {
    for (Reason reason : Reason.values()) {
      if (reason.isFinding() || reason.isLimit()) {
        PATTERNS.put(reason, pattern(reason));
      }
    }
  }

  private Sentences() {}

  /** Returns a pattern of the whole sentence, with any numbers and with the names of a policy. */
  private static Pattern pattern(Reason reason) {
    boolean isOfHeader =
        reason == Reason.TOPIC_HEADER_MISSING || reason == Reason.TOPIC_HEADER_FORBIDDEN;
    String decimal = isOfHeader ? "(-?[0-9]+|\"[^\"]+\")" : "-?[0-9]+";
    String regex = Pattern.quote(reason.describe(FIRST, SECOND));
    for (long number : new long[] {FIRST, SECOND}) {
      regex =
          regex
              .replace(Long.toString(number), unquoted(decimal))
              .replace(Long.toHexString(number), unquoted("[0-9a-f]+"));
    }
    boolean isOfCodec = reason == Reason.TOPIC_CODEC_NOT_ALLOWED;
    return Pattern.compile(isOfCodec ? regex + "( \\([a-z0-9]+\\))?" : regex);
  }

  private static String unquoted(String regex) {
    return "\\E" + regex + "\\Q";
  }

  /** Returns true if a sentence is that of a topic rule, of level STRICT or of a limit. */
  static boolean isAbout(String sentence, Reason reason) {
    return Objects.requireNonNull(PATTERNS.get(reason)).matcher(sentence).matches();
  }

  /** Returns the reason that our text about a whole batch names, or null. */
  static @Nullable Reason ofBatch(String text) {
    int at = text.indexOf(REFUSED);
    if (!text.startsWith(BATCH) || at < 0) {
      return null;
    }
    String sentence = text.substring(at + REFUSED.length());
    for (Map.Entry<Reason, Pattern> each : PATTERNS.entrySet()) {
      if (each.getValue().matcher(sentence).matches()) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Returns the limit that a text names in our words or in Kafka's, or null. */
  static @Nullable Reason limitOf(String text) {
    boolean isOfKafka =
        text.contains("maximum record size") || text.contains("Invalid record size: -");
    Reason named = isOfKafka ? Reason.LIMIT_RECORD_BYTES : ofBatch(text);
    return named != null && named.isLimit() ? named : null;
  }
}
