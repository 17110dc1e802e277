// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Reason;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each reason stops compaction, is tried, is counted, or is not checked in stored batches. */
class EffectTest {
  private static final Map<String, Effect> EFFECTS = Effect.byName();

  @Test
  void eachReasonHasAnEffect() {
    for (Reason each : Reason.values()) {
      boolean isChecked =
          each.appliesTo(Origin.STORED)
              && !each.isTopicRule()
              && (!each.isLimit() || each == Reason.LIMIT_CODEC_MEMORY);
      assertEquals(isChecked, EFFECTS.get(each.name()) != Effect.NEVER, each.name());
    }
  }

  /** Compaction that works today does not stop for these. */
  @Test
  void whatEveryReaderReadsTheSameWayIsCounted() {
    assertEquals(
        Set.of(
            "BATCH_ATTRIBUTES_RESERVED",
            "BATCH_MAX_TIMESTAMP_MISMATCH",
            "CODEC_BYTES_LEFT",
            "PAYLOAD_NOT_EMPTY",
            "RECORD_ATTRIBUTES_RESERVED",
            "RECORD_HEADER_KEY_NOT_UTF8",
            "RECORD_MAGIC_MISMATCH",
            "RECORD_NULL_LENGTH_INVALID",
            "RECORD_NUMBER_NOT_SHORTEST",
            "RECORD_TIMESTAMP_NEGATIVE",
            "RECORD_TIMESTAMP_OVERFLOW"),
        with(Effect.COUNTED));
  }

  @Test
  void whatKafkaReadsInSomeCasesIsTried() {
    assertEquals(
        Set.of(
            "CODEC_OUT_OF_MEMORY",
            "CODEC_STREAM_AMBIGUOUS",
            "CODEC_UNAVAILABLE",
            "LIMIT_CODEC_MEMORY",
            "PAYLOAD_STREAM_MISSING",
            "RECORD_FIELDS_UNTRUE"),
        with(Effect.TRIED));
  }

  private static Set<String> with(Effect effect) {
    Set<String> names = new TreeSet<>();
    EFFECTS.forEach(
        (name, each) -> {
          if (each == effect) {
            names.add(name);
          }
        });
    return names;
  }
}
