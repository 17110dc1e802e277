// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lanes at guessed positions of one block. */
class GuessedLanesTest {
  private static final int FIRST = Lanes.BLOCKS;
  private static final int SECOND = Lanes.BLOCKS + 1;
  private static final int FIRST_TAG_BYTES = 2;

  /** The start of a guessed lane in 1500 bytes of zeros: 20 tags of two bytes after the guess. */
  private static final int GUESS_IN_ZEROS = 1500 * 140 / 256 + 20 * 2;

  private final Lanes lanes = new Lanes();
  private final GuessedLanes guesses = new GuessedLanes(lanes);

  private void open(byte[] block, int at, int plainBytes) {
    lanes.in(block);
    lanes.open(0, at, block.length, plainBytes, 0);
    guesses.reset();
    assertTrue(lanes.prepare(0));
  }

  private void open(SnappyBlocks.Tags tags) {
    byte[] block = tags.toBlock();
    open(block, block.length - tags.storedBytes(), tags.plainBytes());
  }

  /** Walks a block and returns its last lane. */
  private int walk(byte[] block, int plainBytes) {
    int tags = 0;
    while (block[tags] < 0) {
      tags++;
    }
    open(block, tags + 1, plainBytes);
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

  /** The start of a block: a tag that is taken before places are guessed. */
  private static SnappyBlocks.Tags start() {
    return new SnappyBlocks.Tags().literal(new byte[FIRST_TAG_BYTES - 1]);
  }

  /** Short literals, whose zeros look like tags of two bytes, so every guess is soon right. */
  private static SnappyBlocks.Tags zeros(int storedBytes) {
    SnappyBlocks.Tags tags = start();
    int left = storedBytes;
    for (; left >= 10; left -= 5) {
      tags.literal(new byte[4]);
    }
    return tags.literal(new byte[left - 1]);
  }

  @ParameterizedTest
  @CsvSource({"1023, 0", "1024, 1", "2047, 1", "2048, 2"})
  void bytesThatAreWorthAGuess(int storedBytes, int guesses) {
    SnappyBlocks.Tags tags = zeros(storedBytes);
    assertEquals(guesses == 0 ? 0 : FIRST + guesses - 1, walk(tags.toBlock(), tags.plainBytes()));
  }

  /** Nothing of an earlier block matters. */
  @Test
  void aSmallBlockAfterALargeOne() {
    SnappyBlocks.Tags tags = zeros(20_000);
    assertEquals(SECOND, walk(tags.toBlock(), tags.plainBytes()));
    tags = zeros(1500);
    assertEquals(FIRST, walk(tags.toBlock(), tags.plainBytes()));
  }

  /** A lane is not worth opening in the last bytes, which are taken tag by tag. */
  @Test
  void aGuessNearTheEnd() {
    int last = TagLoops.MARGIN_BYTES + SnappyTags.LARGEST_STEP_BYTES;
    assertEquals(0, walkWithGuessAt(last));
    assertEquals(FIRST, walkWithGuessAt(last + 1));
    assertEquals(0, walkWithGuessAt(last - 1));
    assertEquals(0, walkWithGuessAt(TagLoops.MARGIN_BYTES));
  }

  /** Walks 1100 bytes whose only guess is on a true tag, so many bytes before the end. */
  private int walkWithGuessAt(int beforeEnd) {
    int stored = 1100;
    int guess = stored * 140 / 256;
    SnappyBlocks.Tags tags = start().literal(new byte[1]);
    tags.literal(new byte[guess - 2 - 3]); // with a tag of three bytes
    int step = (stored - guess - beforeEnd) / 20;
    for (int i = 0; i < 19; i++) {
      tags.literal(new byte[step - 1]);
    }
    tags.literal(new byte[stored - guess - beforeEnd - 19 * step - 1]);
    for (int left = beforeEnd; left > 0; left -= Math.min(left, 50)) {
      tags.literal(new byte[Math.min(left, 50) - 1]);
    }
    return walk(tags.toBlock(), tags.plainBytes());
  }

  /**
   * Returns the start of a block of 1500 bytes, whose only guess is in a long literal. Its zeros
   * are walked as tags of two bytes.
   *
   * @param fromGuess the number of bytes from the guessed lane's start to the literal's end
   */
  private static SnappyBlocks.Tags guessInLiteral(int fromGuess) {
    SnappyBlocks.Tags tags = start();
    for (int i = 0; i < 60; i++) { // meanwhile the guessed lane walks as many
      tags.literal(new byte[1]);
    }
    return tags.literal(new byte[GUESS_IN_ZEROS + fromGuess - 60 * 2 - 3]);
  }

  private static void fill(SnappyBlocks.Tags tags) {
    while (tags.storedBytes() < 1450) {
      tags.literal(new byte[20]);
    }
    tags.literal(new byte[FIRST_TAG_BYTES + 1500 - tags.storedBytes() - 1]);
  }

  @ParameterizedTest
  @CsvSource({"48, 4", "49, 0"})
  void tagsToCompareWhereLanesMeet(int steps, int last) {
    SnappyBlocks.Tags tags = guessInLiteral(2 * steps);
    fill(tags);
    assertEquals(last, walk(tags.toBlock(), tags.plainBytes()));
    if (last == 0) {
      open(tags);
      assertEquals(0, guesses.split(0));
      assertFalse(lanes.isAtStop(0), "the loops take the rest");
    }
  }

  /** Lanes that met are one from there on. */
  @Test
  void laneOfEachByte() {
    SnappyBlocks.Tags tags = guessInLiteral(40);
    int met = tags.plainBytes();
    fill(tags);
    assertEquals(FIRST, walk(tags.toBlock(), tags.plainBytes()));
    assertEquals(0, guesses.laneOf(0, met - 1));
    assertEquals(FIRST, guesses.laneOf(0, met));
    assertEquals(FIRST, guesses.laneOf(0, tags.plainBytes() - 1));
    assertEquals(1, guesses.laneOf(1, met), "another block");
  }

  /** A long literal leads the confirmed lane to the guessed one, which has taken two tags. */
  @ParameterizedTest
  @CsvSource({"4, 4", "6, 0"})
  void aGuessedLaneMayBeSlower(int fromGuess, int last) {
    SnappyBlocks.Tags tags = start().literal(new byte[1]);
    tags.literal(new byte[GUESS_IN_ZEROS + fromGuess - 2 - 3]);
    fill(tags);
    assertEquals(last, walk(tags.toBlock(), tags.plainBytes()));
  }

  /** The guessed lane passes the start of a copy, so the confirmed lane takes that. */
  @Test
  void aDamagedTagWhereLanesMeet() {
    SnappyBlocks.Tags tags = guessInLiteral(31);
    tags.longCopy(5, tags.plainBytes() + 1);
    fill(tags);
    open(tags);
    assertEquals(GuessedLanes.UNSOUND, guesses.split(0));
    tags = guessInLiteral(31);
    tags.longCopy(5, tags.plainBytes());
    fill(tags);
    open(tags);
    assertNotEquals(GuessedLanes.UNSOUND, guesses.split(0));
  }

  /** Each copy reaches one byte further back than a guessed lane was known to. */
  @ParameterizedTest
  @CsvSource({"24, 4", "25, 0"})
  void singleStepsOfAGuessedLane(int copies, int last) {
    SnappyBlocks.Tags tags = start();
    while (tags.storedBytes() < 1000) {
      tags.literal(new byte[4]);
    }
    for (int i = 0; i < copies; i++) {
      tags.longCopy(1, tags.plainBytes() - 40 + i);
    }
    while (tags.storedBytes() < 1500) {
      tags.literal(new byte[4]);
    }
    assertEquals(last, walk(tags.toBlock(), tags.plainBytes()));
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
    open(tags);
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
