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
    assertTrue(words.add(bytes, from, at, at + first, at + first));
    assertTrue(words.add(bytes, from, next, next + second, next + second));
    byte[] other = bytes.clone();
    other[changed]++;

    assertTrue(words.matchAll(bytes, from));
    boolean isTaken =
        (changed >= at && changed < at + first) || (changed >= next && changed < next + second);
    assertEquals(!isTaken, words.matchAll(other, from));
  }

  @Property
  void onlyFixedBytesHaveToMatch(
      @ForAll @Size(200) byte[] bytes,
      @ForAll @IntRange(max = 60) int fixed,
      @ForAll @IntRange(max = 60) int more,
      @ForAll @IntRange(max = 199) int changed) {
    words.clear();
    int fixedTo = 20 + fixed;
    int to = fixedTo + more;
    assertTrue(words.add(bytes, 10, 20, fixedTo, to));
    byte[] other = bytes.clone();
    other[changed]++;
    boolean isFixed = changed >= 20 && changed < fixedTo;
    boolean isTaken = changed >= 20 && changed < to;
    assertEquals(!isTaken, words.matchAll(other, 10));
    assertEquals(!isFixed, words.matchFixed(other, 10));
    if (!isFixed) {
      words.replace(other, 10);
      assertTrue(words.matchAll(other, 10));
      assertEquals(!isTaken, words.matchAll(bytes, 10));
    }
  }

  @Property
  void thePlacesMoveWithTheIndex(
      @ForAll @Size(100) byte[] bytes, @ForAll @IntRange(max = 200) int to) {
    words.clear();
    assertTrue(words.add(bytes, 10, 15, 90, 90));
    byte[] other = new byte[400];
    System.arraycopy(bytes, 15, other, to + 5, 75);
    assertTrue(words.matchAll(other, to));
  }

  @Test
  void anArrayThatIsTooShortDoesNotMatch() {
    byte[] zeros = new byte[50];
    words.clear();
    assertTrue(words.add(zeros, 0, 10, 24, 24));
    assertTrue(words.matchAll(new byte[34], 0));
    assertFalse(words.matchAll(new byte[33], 0), "the group reaches to index 34");
    words.clear();
    assertTrue(words.add(zeros, 0, 10, 45, 45));
    assertTrue(words.matchAll(new byte[45], 0));
    assertFalse(words.matchAll(new byte[44], 0), "the last of two groups ends with the bytes");
    words.clear();
    assertTrue(words.matchAll(new byte[24], 0));
    assertFalse(words.matchAll(new byte[23], 0), "a group is always read");
  }

  @Test
  void bytesWithoutRoomAreRefused() {
    byte[] zeros = new byte[1000];
    words.clear();
    assertTrue(words.add(zeros, 0, 0, 0, 10 * 24));
    assertFalse(words.add(zeros, 0, 300, 301, 301));
    words.clear();
    assertTrue(words.add(zeros, 0, 976, 977, 977));
    assertFalse(words.add(zeros, 0, 977, 978, 978), "a group would reach beyond the array");
  }

  @Test
  void nothingIsLeftAfterClear() {
    byte[] ones = new byte[100];
    Arrays.fill(ones, (byte) 1);
    words.clear();
    assertTrue(words.add(ones, 0, 0, 80, 80));
    words.clear();
    assertTrue(words.matchAll(new byte[100], 0));
  }
}
