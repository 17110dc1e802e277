// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repair from a copy in a tiered storage. */
class RepairTieredTest {
  private static final KeyPair PAIR = TieredEncryption.newPair();
  private static final int LOCAL_ONLY = SampleLog.SEGMENTS - 1;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"KAFKA", "AIVEN", "AIVEN_COMPRESSED", "AIVEN_ENCRYPTED"})
  void damagedBatchesComeFromTheStorage(String layout) throws Exception {
    Path local = SampleLog.write(directory.resolve("broker"));
    Path store = tiered(layout, local);
    Path sound = directory.resolve("sound");
    StoredLog.copy(local, sound);
    damage(local);
    Path key = TieredEncryption.writeKey(directory.resolve("key.pem"), PAIR);
    Run run = repair(local, store, "--key=" + key);
    assertEquals(0, run.exitCode(), run.out() + run.err());
    StoredLog expected = new StoredLog(sound);
    for (int segment = 0; segment < SampleLog.SEGMENTS; segment++) {
      Path repaired = directory.resolve("out/orders-3").resolve(expected.name(segment, ".log"));
      assertEquals(-1, Files.mismatch(expected.file(segment, ".log"), repaired));
    }
  }

  @Test
  void anEncryptedCopyWithoutItsKeyIsNoCopy() throws Exception {
    Path local = SampleLog.write(directory.resolve("broker"));
    Path store = tiered("AIVEN_ENCRYPTED", local);
    damage(local);
    Run run = repair(local, store);
    assertEquals(3, run.exitCode(), run.out() + run.err());
    assertTrue(run.err().contains("is encrypted; name the private key by --key"), run.err());
    assertFalse(Files.exists(directory.resolve("out/orders-3")));
  }

  /** The end of the log is in the storage only. */
  @Test
  void aCopyThatCannotBeReadIsNotLeftOutInSilence() throws Exception {
    Path local = SampleLog.write(directory.resolve("broker"));
    Path store = tiered("AIVEN_ENCRYPTED", local);
    StoredLog log = new StoredLog(local);
    for (int segment = LOCAL_ONLY; segment >= 3; segment--) {
      Files.delete(log.file(segment, ".log"));
    }
    removeWitnesses(local);
    Run run = repair(local, store);
    assertEquals(3, run.exitCode(), run.out() + run.err());
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains(" could not be read"), text);
    assertFalse(Files.exists(directory.resolve("out/orders-3")));
  }

  private static void removeWitnesses(Path local) throws Exception {
    try (Stream<Path> files = Files.list(local)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.endsWith(".log") && !name.equals("partition.metadata")) {
          Files.delete(file);
        }
      }
    }
  }

  private static void damage(Path local) throws Exception {
    StoredLog log = new StoredLog(local);
    for (int segment = 0; segment < LOCAL_ONLY; segment++) {
      log.edit(
          log.file(segment, ".log"),
          all -> {
            for (int at = 100; at < 400; at++) {
              all.put(at, (byte) ~all.get(at));
            }
          });
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
      boolean isEncrypted = layout.equals("AIVEN_ENCRYPTED");
      boolean isCompressed = isEncrypted || layout.equals("AIVEN_COMPRESSED");
      TieredEncryption encryption = isEncrypted ? new TieredEncryption(PAIR.getPublic()) : null;
      TieredCopy.aiven(local, store, new TieredCopy.Aiven("p/", 700, isCompressed), encryption);
    }
    return store;
  }

  private Run repair(Path local, Path store, String... more) {
    String into = "--into=" + directory.resolve("out");
    Stream<String> words = Stream.of("repair", "--from=" + local, "--tiered=" + store, into);
    return Run.of(Stream.concat(words, Stream.of(more)).toArray(String[]::new));
  }
}
