// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardsTest {
  private static final int SIZE = Shards.SEEDS_OF_SHARD;

  @TempDir private Path directory;

  private Shards run(long firstSeed, long allSeeds) throws IOException {
    return new Shards(directory, firstSeed, allSeeds);
  }

  private static Tally tally(long seed) {
    Tally tally = new Tally();
    tally.seed(seed);
    tally.appends = 7;
    tally.seen("HEADER_CUT, library");
    return tally;
  }

  private static String line(long number, String name) {
    return "%12d  %s%n".formatted(number, name);
  }

  private static void assertHas(String lines, String summary) {
    assertTrue(summary.contains(lines), summary);
  }

  @Test
  void theLastShardHasTheRestOfTheSeeds() throws IOException {
    Shards shards = run(5, 2L * SIZE + 100);
    assertEquals(3, shards.count());
    assertEquals(5, shards.firstSeed(0));
    assertEquals(SIZE, shards.seeds(1));
    assertEquals(5 + 2L * SIZE, shards.firstSeed(2));
    assertEquals(100, shards.seeds(2));
    assertEquals(2, run(5, 2L * SIZE).count());
  }

  @Test
  void aLongerRunTakesTheWholeShardsOfAShorterOne() throws IOException {
    Shards shorter = run(1, SIZE + 100);
    shorter.done(0, tally(1), 1);
    shorter.done(1, tally(2), 1);
    assertTrue(shorter.isDone(1));
    Shards longer = run(1, 3L * SIZE);
    assertTrue(longer.isDone(0));
    assertFalse(longer.isDone(1), "of 100 seeds only");
    assertFalse(longer.isDone(2));
  }

  @Test
  void aRunWithAnotherFirstSeedTakesNone() throws IOException {
    run(1, SIZE).done(0, tally(1), 1);
    assertFalse(run(2, SIZE).isDone(0));
  }

  @Test
  void theSummaryIsOfTheShardsOfTheRun() throws IOException {
    Shards shorter = run(1, SIZE + 100);
    shorter.done(0, tally(1), 1);
    shorter.done(1, tally(SIZE + 2), 1);
    Shards longer = run(1, 2L * SIZE);
    assertThrows(NoSuchFileException.class, longer::summary);
    longer.done(1, tally(SIZE + 3), 1);
    assertHas(line(14, Tally.APPENDS), longer.summary());
    assertHas(line(14, Tally.APPENDS), shorter.summary());
  }

  @Test
  void firstSeedsAreNotAdded() throws IOException {
    Shards shards = run(1, 2L * SIZE);
    shards.done(0, tally(50), 1);
    shards.done(1, tally(SIZE + 3), 1);
    String name = Tally.KNOWN + "HEADER_CUT, library" + Tally.FIRST_SEED;
    assertHas(line(50, name), shards.summary());
  }

  @Test
  void differencesAreKept() throws IOException {
    Shards shards = run(1, SIZE);
    Tally tally = tally(9);
    tally.example("one\ntwo");
    shards.done(0, tally, 1);
    assertHas("! scripts/specification --replay 9\n! one\n! two\n", shards.summary());
  }
}
