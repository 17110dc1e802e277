// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counts by section, whose number is bounded. */
class SectionCountsTest {
  private final SectionCounts counts = new SectionCounts();
  private final MutableVerdict verdict = new MutableVerdict();

  private void judge(String section, boolean finds, boolean refuses) {
    verdict.reset(Policy.CLIENT.toBuilder().section(section).build());
    if (finds) {
      verdict.findings().add(Reason.TOPIC_KEY_MISSING, 0, 0, 0);
    }
    if (refuses) {
      verdict.refuse(Reason.BATCH_TOO_LARGE, 0, 0, 0);
    }
    verdict.conclude();
    counts.judged(verdict, "some-topic");
  }

  @Test
  void countsBySection() {
    judge("a", false, false);
    judge("a", true, false);
    judge(Policy.DEFAULT_SECTION, true, false);
    judge("b", false, true);
    judge("b", false, true);
    judge("a", true, true); // refused by a rule of Kafka, so the finding does not count
    assertEquals(Map.of("a", 1L, "default", 1L), counts.found());
    assertEquals(Map.of("a", 1L, "b", 2L), counts.refused());
    assertEquals(2, counts.refused("b"));
    assertEquals(0, counts.found("b"));
  }

  @Test
  void furtherSectionsAreCountedTogether() {
    assertEquals(PolicyFile.MAX_SECTIONS, SectionCounts.MAX_SECTIONS);
    for (int i = 0; i < SectionCounts.MAX_SECTIONS + 3; i++) {
      judge("s" + i, false, true);
    }
    judge("s0", false, true);
    assertEquals(2, counts.refused("s0"));
    assertEquals(3, counts.refused(SectionCounts.OTHERS));
    assertEquals(SectionCounts.MAX_SECTIONS + 1, counts.refused().size());
  }
}
