// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three copies, each damaged in places of its own or in common ones: the result is that of the
 * undamaged log, byte by byte, or the repair is refused and says why.
 */
class RepairSeedsIT {
  private static final long SEEDS = Long.getLong("repair.seeds", 60);
  private static final long FIRST = Long.getLong("repair.first", 1);
  private static final int COPIES = 3;

  @TempDir private static Path samples;

  @BeforeAll
  static void writeSample() throws IOException {
    Path sample = SampleLog.write(samples);
    RepairDamageIT.recover(sample, samples.resolve("recovered").resolve("orders-3"));
  }

  @Test
  void noSeedGivesAWrongByte(@TempDir Path folder) throws Exception {
    int done = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      done += repairs(seed, folder.resolve(Long.toString(seed))) ? 1 : 0;
    }
    assertTrue(2L * done > SEEDS, "only " + done + " repaired");
  }

  private static boolean repairs(long seed, Path folder) throws Exception {
    Repaired repair = new Repaired(folder.resolve("out"));
    List<String> damage = new ArrayList<>();
    for (int i = 0; i < COPIES; i++) {
      Path copy = Files.createDirectories(folder.resolve("copy-" + i)).resolve("orders-3");
      StoredLog.copy(samples.resolve("orders-3"), copy);
      damage.addAll(new RandomCopyDamage(COPIES * seed + i, copy).plant(1 + (int) (seed % 3)));
      StoredLog.age(copy);
      repair.from(copy);
    }
    repair.run();
    String what = "seed " + seed + ": " + damage + "\n" + repair.text();
    if (repair.isDone()) {
      Path expected = samples.resolve("recovered").resolve("orders-3");
      assertEquals(List.of(), Repaired.differences(expected, repair.directory()), what);
    } else {
      assertFalse(repair.summary().problems().isEmpty(), what);
    }
    return repair.isDone();
  }
}
