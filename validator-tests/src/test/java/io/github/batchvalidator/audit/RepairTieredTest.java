// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repair from a copy in a tiered storage. */
class RepairTieredTest {
  private static final int LOCAL_ONLY = SampleLog.SEGMENTS - 1;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"KAFKA", "AIVEN", "AIVEN_COMPRESSED"})
  void damagedBatchesComeFromTheStorage(String layout) throws Exception {
    Path local = SampleLog.write(directory.resolve("broker"));
    Path store = tiered(layout, local);
    Path sound = directory.resolve("sound");
    StoredLog.copy(local, sound);
    for (int segment = 0; segment < LOCAL_ONLY; segment++) {
      StoredLog log = new StoredLog(local);
      log.edit(
          log.file(segment, ".log"),
          all -> {
            for (int at = 100; at < 400; at++) {
              all.put(at, (byte) ~all.get(at));
            }
          });
    }
    Run run = repair(local, store);
    assertEquals(0, run.exitCode(), run.out() + run.err());
    StoredLog expected = new StoredLog(sound);
    for (int segment = 0; segment < SampleLog.SEGMENTS; segment++) {
      Path repaired = directory.resolve("out/orders-3").resolve(expected.name(segment, ".log"));
      assertEquals(-1, Files.mismatch(expected.file(segment, ".log"), repaired));
    }
  }

  @Test
  void aCopyOfAnotherTopicIsRefused() throws Exception {
    Path local = SampleLog.write(directory.resolve("broker"));
    Path store = tiered("KAFKA", local);
    Files.writeString(
        local.resolve("partition.metadata"), "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ");
    Run run = repair(local, store);
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().contains("the topic id of "), run.out());
  }

  private static void id(Path local) throws Exception {
    Files.writeString(
        local.resolve("partition.metadata"), "version: 0\ntopic_id: " + TieredCopy.TOPIC_ID);
  }

  private Path tiered(String layout, Path local) throws Exception {
    id(local);
    Path store = Files.createDirectory(directory.resolve("store"));
    if (layout.equals("KAFKA")) {
      TieredCopy.kafka(local, store);
    } else {
      boolean isCompressed = layout.equals("AIVEN_COMPRESSED");
      TieredCopy.aiven(local, store, new TieredCopy.Aiven("p/", 700, isCompressed));
    }
    return store;
  }

  private Run repair(Path local, Path store) {
    return Run.of(
        "repair", "--from=" + local, "--tiered=" + store, "--into=" + directory.resolve("out"));
  }
}
