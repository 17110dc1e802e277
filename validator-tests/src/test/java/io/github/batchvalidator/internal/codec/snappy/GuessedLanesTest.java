// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.SnappyStreams;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lanes at guessed positions of one block. */
class GuessedLanesTest {
  private static final int FIRST = Lanes.BLOCKS;
  private static final int SECOND = Lanes.BLOCKS + 1;

  private final Lanes lanes = new Lanes();
  private final GuessedLanes guesses = new GuessedLanes(lanes);

  /** Walks a block and returns its last lane. */
  private int walk(byte[] block, int plainBytes) {
    int tags = 0;
    while (block[tags] < 0) {
      tags++;
    }
    lanes.in(block);
    lanes.open(0, tags + 1, block.length, plainBytes, 0);
    guesses.reset();
    assertTrue(lanes.prepare(0));
    int last = guesses.split(0);
    if (last == GuessedLanes.UNSOUND) {
      return last;
    }
    while (true) {
      assertTrue(lanes.prepare(last));
      if (lanes.isAtEnd(last)) {
        return last;
      }
      lanes.walk(new int[] {last}, 1);
    }
  }

  /** Every entry of the index that a look-up can meet is a true tag. */
  private void assertIndex(byte[] block, int plainBytes) {
    int at = 0;
    while (block[at] < 0) {
      at++;
    }
    long tag = SnappyTags.position(0, at + 1);
    long[] starts = new long[plainBytes];
    while (SnappyTags.stored(tag) < block.length) {
      starts[SnappyTags.plain(tag)] = tag;
      long step = SnappyTags.STEP[block[SnappyTags.stored(tag)] & 0xFF];
      tag +=
          step == SnappyTags.SPECIAL ? SnappyTags.specialStep(block, SnappyTags.stored(tag)) : step;
    }
    for (int plain = 0; plain < plainBytes; plain++) {
      long found = lanes.find(guesses.laneOf(0, plain), plain);
      while (SnappyTags.plain(found) < plain && starts[SnappyTags.plain(found)] == 0) {
        long step = SnappyTags.STEP[block[SnappyTags.stored(found)] & 0xFF];
        found += step; // a tag before the meeting, from which the true ones are reached
      }
      assertEquals(starts[SnappyTags.plain(found)], found, "position " + plain);
    }
  }

  @Test
  void bothGuessesOfTextAreAdopted() {
    SplittableRandom random = new SplittableRandom(1);
    int adopted = 0;
    for (int i = 0; i < 100; i++) {
      byte[] plain = SnappyBlocks.text(random, 20_000);
      byte[] block = SnappyStreams.block(plain);
      adopted += walk(block, plain.length) == SECOND ? 1 : 0;
      assertEquals(0, guesses.laneOf(0, 0));
      assertIndex(block, plain.length);
    }
    assertTrue(adopted > 90, adopted + " of 100");
  }

  @Test
  void aSmallBlockHasOneGuessOrNone() {
    SplittableRandom random = new SplittableRandom(2);
    byte[] plain = new byte[1600];
    random.nextBytes(plain);
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags();
    for (int i = 0; i < 30; i++) {
      tags.literal(Arrays.copyOfRange(plain, 50 * i, 50 * i + 50));
    }
    assertEquals(FIRST, walk(tags.toBlock(), tags.plainBytes()));
    tags = new SnappyBlocks.Tags();
    for (int i = 0; i < 19; i++) {
      tags.literal(Arrays.copyOfRange(plain, 50 * i, 50 * i + 50));
    }
    assertEquals(0, walk(tags.toBlock(), tags.plainBytes()));
  }

  /** Other places are as right, but these were measured. */
  @ParameterizedTest
  @CsvSource({"1, 4000, 1690, 2976", "2, 8000, 3091, 5821", "1, 20000, 7442, 14096"})
  void placesOfTheGuesses(int seed, int plainBytes, int first, int second) {
    byte[] plain = SnappyBlocks.text(new SplittableRandom(seed), plainBytes);
    assertEquals(SECOND, walk(SnappyStreams.block(plain), plainBytes));
    assertEquals(first, lanes.base(FIRST));
    assertEquals(second, lanes.base(SECOND));
  }

  /**
   * The first guess falls into a literal full of copies of 64 bytes. That lane runs far beyond the
   * size of the block before it is dropped. The second one is adopted, and its index is intact.
   */
  @Test
  void aDroppedLaneDoesNotTouchTheIndexOfOthers() {
    int adopted = 0;
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SnappyBlocks.Tags tags = new SnappyBlocks.Tags();
      tags.literal(literal(random, 60));
      for (int i = 0; i < 2_000; i++) { // keeps the first lane busy
        tags.shortCopy(4, 1 + random.nextInt(50));
      }
      tags.literal(copies(9_500 + random.nextInt(500)));
      while (tags.plainBytes() < 32_500) {
        tags.literal(literal(random, 1 + random.nextInt(50)));
        tags.longCopy(1 + random.nextInt(64), 1 + random.nextInt(13_000));
      }
      byte[] block = tags.toBlock();
      adopted += walk(block, tags.plainBytes()) == SECOND ? 1 : 0;
      assertNotEquals(FIRST, guesses.laneOf(0, 20_000));
      assertTrue(lanes.plain(FIRST) > tags.plainBytes(), "the first guess ran too far");
      int proportional = tags.plainBytes() * 97 / 256; // where the first of two guesses is
      int difference = lanes.before(FIRST) - proportional * 3 / 4;
      assertTrue(Math.abs(difference) < 100, difference + " bytes");
      assertIndex(block, tags.plainBytes());
    }
    assertTrue(adopted > 25, adopted + " of 50");
  }

  private static byte[] copies(int bytes) {
    byte[] all = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      all[i] = (byte) (i % 3 == 0 ? 0xFE : i % 3 == 1 ? 1 : 0);
    }
    return all;
  }

  private static byte[] literal(SplittableRandom random, int bytes) {
    byte[] all = new byte[bytes];
    random.nextBytes(all);
    return all;
  }

  /** A guessed lane may refer to more bytes than it knew of. A block with less is refused. */
  @Test
  void aGuessedLaneThatReachesBeforeTheBlock() {
    SplittableRandom random = new SplittableRandom(3);
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(literal(random, 60));
    while (tags.plainBytes() < 4000) {
      tags.literal(literal(random, 3)).longCopy(5, 60);
    }
    tags.longCopy(5, tags.plainBytes());
    byte[] sound = tags.toBlock();
    assertEquals(SECOND, walk(sound, tags.plainBytes()));
    tags.longCopy(5, tags.plainBytes() + 1);
    byte[] beyond = tags.toBlock();
    int start = 2;
    lanes.in(beyond);
    lanes.open(0, start, beyond.length, tags.plainBytes(), 0);
    guesses.reset();
    assertTrue(lanes.prepare(0));
    int last = guesses.split(0);
    assertTrue(last == GuessedLanes.UNSOUND || !walkToTheEnd(last));
  }

  private boolean walkToTheEnd(int lane) {
    while (lanes.prepare(lane)) {
      if (lanes.isAtEnd(lane)) {
        return true;
      }
      lanes.walk(new int[] {lane}, 1);
    }
    return false;
  }
}
