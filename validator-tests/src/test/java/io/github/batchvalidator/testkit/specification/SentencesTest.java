// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Reason;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SentencesTest {
  private static final String BATCH = "Batch for a.b-3 is refused: ";
  private static final long[] NUMBERS = {
    0, 1, -1, 17, 0xcafe, 0xcafe_0017L, 4_102_444_800_001L, Long.MIN_VALUE, Long.MAX_VALUE
  };

  private static List<Reason> reasons() {
    return Arrays.stream(Reason.values())
        .filter(reason -> reason.isFinding() || reason.isLimit())
        .toList();
  }

  private static List<Reason> about(String sentence) {
    return reasons().stream().filter(reason -> Sentences.isAbout(sentence, reason)).toList();
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void aSentenceIsAboutOneReason(Reason reason) {
    for (long first : NUMBERS) {
      for (long second : NUMBERS) {
        String sentence = reason.describe(first, second);
        assertEquals(List.of(reason), about(sentence), sentence);
        assertEquals(List.of(), about(sentence + ", too"), sentence);
        assertEquals(List.of(), about("so " + sentence), sentence);
        assertEquals(reason, Sentences.ofBatch(BATCH + sentence), sentence);
        assertNull(Sentences.ofBatch(sentence), sentence);
        Reason limit = Sentences.limitOf(BATCH + sentence);
        assertEquals(reason.isLimit(), limit == reason, sentence);
        assertTrue(reason.isLimit() || limit == null, sentence);
      }
    }
  }

  @Test
  void namesOfThePolicyFileStandForNumbers() {
    String missing = "the record lacks required header \"trace\" of the topic";
    String forbidden = "the record has forbidden header \"trace\" of the topic";
    String codec = "the topic does not allow codec id 2 (snappy)";
    assertEquals(List.of(Reason.TOPIC_HEADER_MISSING), about(missing));
    assertEquals(List.of(Reason.TOPIC_HEADER_FORBIDDEN), about(forbidden));
    assertEquals(List.of(Reason.TOPIC_CODEC_NOT_ALLOWED), about(codec));
    assertFalse(Sentences.isAbout(missing.replace("\"", ""), Reason.TOPIC_HEADER_MISSING));
  }

  @Test
  void limitsOfRecordsAreKafkasToo() {
    String above = "Invalid record size: 40 exceeds the configured maximum record size of 20.";
    assertEquals(Reason.LIMIT_RECORD_BYTES, Sentences.limitOf(above));
    assertEquals(
        Reason.LIMIT_RECORD_BYTES, Sentences.limitOf("Invalid record size: -1 is negative."));
    assertNull(Sentences.limitOf("Invalid record size: expected 4 bytes in record payload"));
  }
}
