// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The values of topic rules. */
class TopicRulesTest {
  private static final SchemaIds SEVEN = SchemaIds.builder().ids(7, 7).build();

  private static void assertRefused(String message, TopicRule<List<String>> rule, String... keys) {
    TopicRules one = TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of("one"));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> one.with(rule, List.of(keys)));
    assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown::toString);
  }

  @Test
  void aValueThatNoRecordCanMeetIsRefused() {
    assertRefused("required and forbidden: one", TopicRule.HEADERS_FORBIDDEN, "two", "one");
    assertRefused("255 bytes", TopicRule.HEADERS_FORBIDDEN, "\u00e4".repeat(128));
    String[] keys = IntStream.range(0, 56).mapToObj(i -> "h" + i).toArray(String[]::new);
    assertRefused("more than 56", TopicRule.HEADERS_FORBIDDEN, keys);
    assertEquals(
        56,
        TopicRules.NONE
            .with(TopicRule.HEADERS_REQUIRED, List.of(keys))
            .get(TopicRule.HEADERS_REQUIRED)
            .size());
    assertThrows(
        IllegalArgumentException.class, () -> TopicRules.NONE.with(TopicRule.CODECS, Set.of()));
  }

  @Test
  void aListIsCopiedWithoutRepetitions() {
    List<String> keys = new ArrayList<>(List.of("b", "a", "b"));
    TopicRules rules = TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, keys);
    Collections.reverse(keys);
    assertEquals(List.of("b", "a"), rules.get(TopicRule.HEADERS_REQUIRED));
    assertThrows(
        UnsupportedOperationException.class, () -> TopicRules.NONE.get(TopicRule.CODECS).clear());
  }

  @Test
  void aRuleThatIsTakenBackIsNone() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true);
    assertNotEquals(TopicRules.NONE, rules);
    assertTrue(rules.looksAtRecords());
    assertEquals(TopicRules.NONE, rules.without(TopicRule.KEY_REQUIRED));
    assertEquals(TopicRules.NONE.hashCode(), rules.without(TopicRule.KEY_REQUIRED).hashCode());
    assertTrue(rules.without(TopicRule.KEY_REQUIRED).isNone());
  }

  @Test
  void onlyCodecsAreARuleOfTheBatch() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.CODECS, Set.of(Codec.LZ4));
    assertFalse(rules.looksAtRecords() || rules.isNone());
    assertTrue(rules.allowsCodec(Codec.LZ4) && !rules.allowsCodec(Codec.NONE));
  }

  @Test
  void idsWithoutAPlaceAreNoRule() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.VALUE_SCHEMA_IDS, SEVEN);
    assertTrue(rules.isNone() && !rules.isInEffect(TopicRule.VALUE_SCHEMA_IDS));
    assertEquals("TopicRules{}", rules.toString());
    TopicRules placed = rules.with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER);
    assertTrue(placed.isInEffect(TopicRule.VALUE_SCHEMA_IDS) && placed.looksAtHeaders());
    assertFalse(rules.with(TopicRule.VALUE_SCHEMA, SchemaPlace.PAYLOAD).looksAtHeaders());
  }

  @Test
  void theTextNamesWhatIsInEffect() {
    TopicRules rules =
        TopicRules.NONE
            .with(TopicRule.VALUE_BYTES, new SizeRange(1, 1000))
            .with(TopicRule.CODECS, Set.of(Codec.ZSTD, Codec.GZIP));
    assertEquals("TopicRules{codecs=[GZIP, ZSTD], value.bytes=1-1000}", rules.toString());
  }
}
