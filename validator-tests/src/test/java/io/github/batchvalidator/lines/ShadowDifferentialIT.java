// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.LinePair.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Over the whole space of the validator, on each line: what a broker gets in shadow mode is what it
 * gets without our jar, to the last byte, and those appends are counted as different that the
 * comparison of the lines finds to be.
 */
class ShadowDifferentialIT {
  private static final KafkaLine[] LINES = KafkaLine.values();
  private static final int VARIANTS = 24;
  private static final Map<KafkaLine, Integer> SAME = new EnumMap<>(KafkaLine.class);
  private static final Map<KafkaLine, Integer> DIFFERENT = new EnumMap<>(KafkaLine.class);

  @Property(tries = 300, seed = "20261121")
  void kafkaAnswersAndOursIsCounted(@ForAll("drafts") Draft draft) {
    Variants variants = new Variants(draft);
    int first = (int) Math.floorMod(draft.seed(), (long) LINES.length);
    for (int i = 0; i < VARIANTS; i++) {
      Append append = i == 0 ? variants.honest() : variants.next();
      compare(LINES[(first + i) % LINES.length], append);
    }
  }

  private static void compare(KafkaLine line, Append append) {
    ShadowSide shadow = ShadowSide.of(line);
    Outcome known = LinePair.of(line).ask(append);
    long compared = shadow.appends();
    long differing = shadow.differing();
    Answer served = shadow.ask(append);
    if (hadNoRoom(known.stock()) != hadNoRoom(served)) {
      return; // whether the heap of this JVM has room at one moment is no answer of Kafka
    }
    assertEquals(Set.of(), known.stock().differences(served), () -> known + "\n  served " + served);
    assertEquals(compared + 1, shadow.appends());
    int different = known.differences().isEmpty() ? 0 : 1;
    assertEquals(differing + different, shadow.differing(), () -> known + " " + shadow.kinds());
    (different == 0 ? SAME : DIFFERENT).merge(line, 1, Integer::sum);
  }

  private static boolean hadNoRoom(Answer answer) {
    return answer.threw("OutOfMemoryError");
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }

  @AfterContainer
  static void bothHappenedOnEachLine() {
    for (KafkaLine line : LINES) {
      assertTrue(SAME.getOrDefault(line, 0) > 500, () -> line + " " + SAME);
      assertTrue(DIFFERENT.getOrDefault(line, 0) > 20, () -> line + " " + DIFFERENT);
      Map<String, Long> kinds = ShadowSide.of(line).kinds();
      assertTrue(
          kinds.keySet().stream().noneMatch(kind -> kind.startsWith("OURS_FAILED")),
          kinds::toString);
      assertTrue(
          kinds.keySet().stream().anyMatch(kind -> kind.startsWith("KAFKA_CRASHED")),
          kinds::toString);
    }
  }
}
