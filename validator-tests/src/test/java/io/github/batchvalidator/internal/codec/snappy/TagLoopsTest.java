// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loops against a walk that takes one tag of one lane after the other. */
class TagLoopsTest {
  private static final int WALKS = 3_000;
  private static final int MOST_STORED = 600;
  private static final int REGION_STORED = MOST_STORED + TagLoops.MARGIN_BYTES;
  private static final int REGION_ENTRIES = 512;
  private static final int TAGS_PER_ROUND = 2;
  private static final int FURTHEST = 1 << 16;

  private final byte[] in = new byte[TagLoops.MOST_LANES * REGION_STORED];
  private final long[] index = new long[(1 + TagLoops.MOST_LANES) * REGION_ENTRIES];
  private final long[] expectedIndex = index.clone();
  private final int[] stop = new int[TagLoops.MOST_LANES];
  private final int[] reach = new int[TagLoops.MOST_LANES];
  private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);

  /** Why a walk ends. */
  private enum Ending {
    STOP,
    SPECIAL,
    BEYOND
  }

  /** Fills the array with tags of all kinds, few of them special, and few copies out of reach. */
  private void tags(SplittableRandom random) {
    random.nextBytes(in);
    for (int i = 0; i < in.length; i++) {
      boolean isFar = (in[i] & SnappyTags.KIND_MASK) == SnappyTags.KIND_MASK;
      if (isFar && random.nextInt(20) > 0) {
        in[i] -= (byte) (1 + random.nextInt(3));
      }
    }
  }

  private long start(int lane, SplittableRandom random) {
    int plain = ((1 + lane) * REGION_ENTRIES) << TagLoops.INDEX_SHIFT;
    int before = random.nextInt(8) == 0 ? random.nextInt(FURTHEST) : FURTHEST;
    reach[lane] = before - plain;
    int at = lane * REGION_STORED + random.nextInt(8);
    stop[lane] = at + random.nextInt(MOST_STORED - 8);
    return SnappyTags.position(plain + random.nextInt(40), at);
  }

  private boolean isSpecial(long at) {
    return SnappyTags.STEP[tag(at)] == SnappyTags.SPECIAL;
  }

  private int tag(long at) {
    return in[SnappyTags.stored(at)] & 0xFF;
  }

  private boolean isBeyond(int lane, long at) {
    int kind = tag(at) & SnappyTags.KIND_MASK;
    if (kind != SnappyTags.SHORT_COPY && kind != SnappyTags.LONG_COPY) {
      return false;
    }
    int offset = SnappyTags.offset(in, SnappyTags.stored(at));
    return offset == 0 || offset > SnappyTags.plain(at) + reach[lane];
  }

  private Ending takeRounds(long[] at, int lanes) {
    while (true) {
      for (int lane = 0; lane < lanes; lane++) {
        if (SnappyTags.stored(at[lane]) >= stop[lane]) {
          return Ending.STOP;
        }
      }
      for (int lane = 0; lane < lanes; lane++) {
        expectedIndex[SnappyTags.plain(at[lane]) >> TagLoops.INDEX_SHIFT] = at[lane];
      }
      boolean special = false;
      for (int i = 0; i < TAGS_PER_ROUND * lanes; i++) {
        int lane = i % lanes;
        if (isBeyond(lane, at[lane])) {
          return Ending.BEYOND;
        }
        special |= isSpecial(at[lane]);
        at[lane] += isSpecial(at[lane]) ? 0 : SnappyTags.STEP[tag(at[lane])];
      }
      if (special) {
        return Ending.SPECIAL;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void lanesSideBySide(int lanes) {
    SplittableRandom random = new SplittableRandom(lanes);
    for (int walk = 0; walk < WALKS; walk++) {
      tags(random);
      long[] x = new long[TagLoops.ARGUMENTS];
      Arrays.fill(x, -1); // what is not used stays
      for (int lane = 0; lane < lanes; lane++) {
        x[lane] = start(lane, random);
        x[TagLoops.STOPS + lane] = stop[lane];
        x[TagLoops.REACHES + lane] = reach[lane];
      }
      Arrays.fill(index, walk);
      Arrays.fill(expectedIndex, walk);
      long[] expected = x.clone();
      endings.merge(takeRounds(expected, lanes), 1, Integer::sum);
      TagLoops.walk(in, index, x, lanes);
      assertArrayEquals(expected, x);
      assertArrayEquals(expectedIndex, index);
    }
    assertAllEndings();
  }

  private void assertAllEndings() {
    for (Ending ending : Ending.values()) {
      assertTrue(endings.getOrDefault(ending, 0) > WALKS / 20, endings::toString);
    }
  }

  private Ending takeTags(long[] at) {
    while (SnappyTags.stored(at[0]) < stop[0]) {
      if (isBeyond(0, at[0])) {
        return Ending.BEYOND;
      }
      expectedIndex[SnappyTags.plain(at[0]) >> TagLoops.INDEX_SHIFT] = at[0];
      if (isSpecial(at[0])) {
        return Ending.SPECIAL;
      }
      at[0] += SnappyTags.STEP[tag(at[0])];
    }
    return Ending.STOP;
  }

  @Test
  void oneLaneToItsEnd() {
    SplittableRandom random = new SplittableRandom(5);
    for (int walk = 0; walk < WALKS; walk++) {
      tags(random);
      long[] at = {start(0, random)};
      Arrays.fill(index, walk);
      Arrays.fill(expectedIndex, walk);
      long last = TagLoops.walkTail(in, index, at[0], stop[0], reach[0]);
      endings.merge(takeTags(at), 1, Integer::sum);
      assertEquals(at[0], last);
      assertArrayEquals(expectedIndex, index);
    }
    assertAllEndings();
  }
}
