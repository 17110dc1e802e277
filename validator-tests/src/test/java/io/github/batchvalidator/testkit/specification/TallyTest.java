// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BufferKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final String SEEN = Tally.KNOWN + "HEADER_CUT, library" + Tally.FIRST_SEED;

  private final Tally tally = new Tally();

  private void add(String entry, Codec codec, Judgment judgment) {
    tally.add(entry, new Append(new byte[0], BufferKind.HEAP, Settings.of(codec, 1)), judgment);
  }

  @Test
  void aDifferenceOfASeedHasTheCommandThatReplaysIt() {
    tally.seed(5);
    tally.example("text");
    assertEquals(List.of("scripts/specification --replay 5\ntext"), tally.examples);
  }

  @Test
  void aDifferenceWithoutASeedHasNoCommand() {
    tally.example("text");
    assertEquals(List.of("text"), tally.examples);
  }

  @Test
  void aKnownDifferenceKeepsItsFirstSeed() {
    tally.seen("HEADER_CUT, library");
    assertEquals(0, tally.number(SEEN));
    for (long seed : new long[] {5, 6}) {
      tally.seed(seed);
      tally.seen("HEADER_CUT, library");
    }
    assertEquals(5, tally.number(SEEN));
  }

  @Test
  void outcomesAreCountedByEntry() {
    add("library", Codec.LZ4, Judgment.same("accepted"));
    add("library", Codec.ZSTD, Judgment.same("accepted"));
    add("library", Codec.LZ4, Judgment.explained("refused by Kafka", "HEADER_CUT"));
    add("drop-in", Codec.LZ4, Judgment.differs("difference", "text"));
    assertEquals(2, tally.number("library", "accepted"));
    assertEquals(1, tally.number("library", "refused by Kafka"));
    assertEquals(0, tally.number("drop-in", "accepted"));
    assertEquals(1, tally.number(Tally.KNOWN + "HEADER_CUT"));
    assertEquals(4, tally.number(Tally.APPENDS));
    assertEquals(1, tally.number(Tally.DIFFERENCES));
  }

  @Test
  void theTextHasALineForEachNumber() {
    tally.skip();
    String text = Tally.text(tally.numbers(), List.of("a difference"));
    assertTrue(text.contains("           1  " + Tally.SKIPPED), text);
    assertTrue(text.endsWith("a difference\n"), text);
  }
}
