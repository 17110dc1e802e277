// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.LinePair.Outcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Appends over the whole space of the validator, on each line, inspected early: at an earlier or a
 * slightly later time, by a plan from the same or another append. The answers equal those of the
 * stock validator to the last byte, except for known differences.
 */
class OffLockDifferentialIT {
  private static final KafkaLine[] LINES = KafkaLine.values();
  private static final int VARIANTS = 12;

  @Property(tries = 200, seed = "20261121")
  void anAppendInspectedEarlyIsAnsweredTheSame(
      @ForAll("drafts") Draft draft, @ForAll("moments") long earlierByMs) {
    Variants variants = new Variants(draft);
    Append honest = variants.honest();
    Append usual =
        new Append(
            honest.bytes(),
            honest.placement(),
            Settings.of(draft.codec(), draft.settings().nowMs()));
    if (isComparable(usual)) {
      for (KafkaLine line : LINES) {
        compare(line, usual, usual, earlierByMs);
        compare(line, honest, usual, earlierByMs);
      }
    }
    int line = (int) Math.floorMod(draft.seed(), (long) LINES.length);
    for (int i = 0; i < VARIANTS; i++) { // other settings, other bytes
      Append append = i == 0 ? honest : variants.next();
      Append first = (draft.seed() + i) % 4 == 0 ? honest : append;
      if (isComparable(append)) {
        compare(LINES[(line + i) % LINES.length], first, append, earlierByMs);
      }
    }
  }

  private static boolean isComparable(Append append) {
    return !Hostile.isHostile(append) && !Lz4Blocks.anyDecodesByChance(append);
  }

  private static void compare(KafkaLine line, Append first, Append append, long earlierByMs) {
    Outcome known = LinePair.of(line).ask(append);
    assertTrue(known.differences().isEmpty() || LineDifference.of(known) != null, known::toString);
    EarlySide early = EarlySide.of(line);
    early.appendFirst(first);
    Answer answer = early.ask(append, earlierByMs);
    assertEquals(
        Set.of(),
        known.ours().differences(answer),
        () -> known + "\n  early  " + answer + "\n  by " + earlierByMs);
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }

  /** Mostly within the time for which a verdict holds, which depends on the window. */
  @Provide
  Arbitrary<Long> moments() {
    return Arbitraries.of(0L, 0L, 1L, 5L, 49L, 50L, 51L, 1000L, 9_999L, 10_000L, 10_001L, -1L);
  }

  @AfterContainer
  static void allHappenedOnEachLine() {
    Set<String> causes = new TreeSet<>();
    for (KafkaLine line : LINES) {
      EarlySide early = EarlySide.of(line);
      Map<String, Long> fallbacks = early.fallbacks();
      assertTrue(early.stamped() > 50, () -> line + " " + early.stamped() + " " + fallbacks);
      causes.addAll(fallbacks.keySet());
    }
    assertEquals(
        Set.of("FIRST_APPEND", "NOT_IN_PLACE", "OTHER_POLICY", "OTHER_TIME", "REFUSED"), causes);
  }
}
