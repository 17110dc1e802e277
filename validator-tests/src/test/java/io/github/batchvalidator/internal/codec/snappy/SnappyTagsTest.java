// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.testing.streams.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables against the description of the format. */
class SnappyTagsTest {
  private static final int TAGS = 256;
  private static final byte[] AFTER_TAG = Bytes.of(0x34, 0xA2, 0x99);

  private static byte[] withTag(int tag) {
    return Bytes.concat(Bytes.of(tag), AFTER_TAG);
  }

  @Test
  void stepOfEachTag() {
    for (int tag = 0; tag < TAGS; tag++) {
      int upper = tag / 4;
      long expected =
          switch (tag % 4) {
            case 0 -> upper < 60 ? step(upper + 1, upper + 2) : SnappyTags.SPECIAL;
            case 1 -> step(upper % 8 + 4, 2);
            case 2 -> step(upper + 1, 3);
            default -> SnappyTags.SPECIAL;
          };
      assertEquals(expected, SnappyTags.STEP[tag], "tag " + tag);
    }
  }

  private static long step(int plain, int stored) {
    return ((long) plain << 32) + stored;
  }

  @Test
  void plainBytesOfEachCopy() {
    for (int tag = 0; tag < TAGS; tag++) {
      int expected = tag % 4 == 1 ? tag / 4 % 8 + 4 : tag / 4 + 1;
      assertEquals(expected, SnappyTags.plainBytes(tag), "tag " + tag);
    }
  }

  @Test
  void offsetOfEachCopy() {
    for (int tag = 0; tag < TAGS; tag++) {
      if (tag % 4 == 1 || tag % 4 == 2) {
        int expected = tag % 4 == 1 ? tag / 32 * 256 + 0x34 : 0xA234;
        assertEquals(expected, SnappyTags.offset(withTag(tag), 0), "tag " + tag);
      }
    }
  }

  /** A copy from exactly as many bytes before as there are is in reach, one more is not. */
  @Test
  void reachOfEachTag() {
    for (int tag = 0; tag < TAGS; tag++) {
      byte[] bytes = withTag(tag);
      int word = TagLoops.word(bytes, 0);
      boolean isCopy = tag % 4 == 1 || tag % 4 == 2;
      int offset = isCopy ? SnappyTags.offset(bytes, 0) : 1;
      assertEquals(false, TagLoops.isBeyond(word, offset), "tag " + tag);
      assertEquals(true, TagLoops.isBeyond(word, offset - 1), "tag " + tag);
    }
  }

  /** An offset of 0 is never in reach, however large the block is. */
  @ParameterizedTest
  @CsvSource({"1", "2", "29", "254"})
  void offsetOfZero(int tag) {
    assertEquals(true, TagLoops.isBeyond(tag, Lanes.BLOCK_BYTES));
  }

  @Test
  void stepOfSpecialTags() {
    assertEquals(step(0x35, 2 + 0x35), SnappyTags.specialStep(withTag(60 << 2), 0));
    assertEquals(step(0xA235, 3 + 0xA235), SnappyTags.specialStep(withTag(61 << 2), 0));
    assertEquals(SnappyTags.SPECIAL, SnappyTags.specialStep(withTag(62 << 2), 0));
    assertEquals(SnappyTags.SPECIAL, SnappyTags.specialStep(withTag(63 << 2), 0));
    assertEquals(SnappyTags.SPECIAL, SnappyTags.specialStep(withTag(3), 0));
  }

  /** One or two special tags within a round end a loop and leave the position intact. */
  @Test
  void specialStepsAreRemoved() {
    long position = step(Lanes.BLOCK_BYTES * 16, Integer.MAX_VALUE);
    for (int i = 0; i < 2; i++) {
      long passed = position + (i + 1) * SnappyTags.SPECIAL;
      assertEquals(position, passed & SnappyTags.POSITION_MASK);
    }
  }
}
