// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests {@link MaskedWords}. */
class MaskedWordsTest {
  private final MaskedWords words = new MaskedWords();

  MaskedWordsTest() {}

  @Property
  void exactlyTheBytesTakenAreCompared(
      @ForAll @Size(400) byte[] bytes,
      @ForAll @IntRange(max = 60) int from,
      @ForAll @IntRange(max = 60) int gap,
      @ForAll @IntRange(max = 60) int first,
      @ForAll @IntRange(max = 60) int second,
      @ForAll @IntRange(max = 399) int changed) {
    words.clear();
    int at = from + 3;
    int next = at + first + gap;
    assertTrue(words.add(bytes, from, at, at + first));
    assertTrue(words.add(bytes, from, next, next + second));
    byte[] other = bytes.clone();
    other[changed]++;

    assertTrue(words.match(bytes, from));
    boolean isTaken =
        (changed >= at && changed < at + first) || (changed >= next && changed < next + second);
    assertEquals(!isTaken, words.match(other, from));
  }

  @Property
  void thePlacesMoveWithTheIndex(
      @ForAll @Size(100) byte[] bytes, @ForAll @IntRange(max = 200) int to) {
    words.clear();
    assertTrue(words.add(bytes, 10, 15, 90));
    byte[] other = new byte[400];
    System.arraycopy(bytes, 15, other, to + 5, 75);
    assertTrue(words.match(other, to));
  }

  @Test
  void anArrayThatIsTooShortDoesNotMatch() {
    byte[] zeros = new byte[40];
    words.clear();
    assertTrue(words.add(zeros, 0, 10, 24));
    assertTrue(words.match(new byte[26], 0));
    assertFalse(words.match(new byte[25], 0), "the second word reaches to index 26");
    words.clear();
    assertTrue(words.match(new byte[8], 0));
    assertFalse(words.match(new byte[7], 0), "a word is always read");
  }

  @Test
  void whatHasNoRoomIsRefused() {
    byte[] zeros = new byte[1000];
    words.clear();
    assertTrue(words.add(zeros, 0, 0, 32 * Long.BYTES));
    assertFalse(words.add(zeros, 0, 300, 301));
    words.clear();
    assertFalse(words.add(zeros, 0, 993, 994), "a word would reach beyond the array");
  }

  @Test
  void nothingIsLeftAfterClear() {
    byte[] ones = new byte[100];
    Arrays.fill(ones, (byte) 1);
    words.clear();
    assertTrue(words.add(ones, 0, 0, 80));
    words.clear();
    assertTrue(words.match(new byte[100], 0));
  }
}
