// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.ObjectStore;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.testing.UnlistedDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Directories of a tiered storage that cannot be listed are errors. The others are checked. */
class TieredListTest {
  private static final int MAX_PATH = 4096;
  private static final int MAX_NAME = 250;
  private static final List<String> NAMES = List.of("a", "z");

  @TempDir private Path data;

  @Test
  @EnabledOnOs(OS.LINUX)
  void allDirectoriesThatCannotBeListedAreNamed() throws Exception {
    Path store = data.resolve("store");
    TieredCopy copy = TieredCopy.kafka(SampleLog.write(data), store);
    Audited audit = withTwoUnlisted(store, () -> TieredAudit.of(store));
    assertEquals(2, audit.errors().size(), audit.errors()::toString);
    assertEquals(copy.segments(), audit.files().size());
    assertEquals(List.of(), audit.messages());
  }

  /**
   * Returns what an action returns while a directory has two others that cannot be listed. Nobody
   * can list a directory whose path is too long, not even root.
   */
  static <T> T withTwoUnlisted(Path store, Callable<T> action) throws Exception {
    for (String name : NAMES) {
      writeDeep(store.resolve(name));
      Files.move(store.resolve(name), store.resolve(name.repeat(MAX_NAME)));
    }
    try {
      return action.call();
    } finally { // JUnit cannot delete a path that is too long
      for (String name : NAMES) {
        Files.move(store.resolve(name.repeat(MAX_NAME)), store.resolve(name));
      }
    }
  }

  /** Writes directories within each other, whose path is too long once the first name is longer. */
  private static void writeDeep(Path top) throws IOException {
    Path deepest = Files.createDirectory(top);
    while (deepest.toString().length() <= MAX_PATH - MAX_NAME) {
      deepest = Files.createDirectory(deepest.resolve("x".repeat(MAX_NAME / 2)));
    }
  }

  /** An object whose status cannot be read is not missing. */
  @Test
  void aPartitionWithAnObjectThatCannotBeListedIsLeftOut() throws Exception {
    Path store = data.resolve("store");
    TieredCopy copy = TieredCopy.kafka(SampleLog.write(data), store);
    Path object = copy.file(1, "index");
    Files.delete(object);
    Files.createSymbolicLink(object, object);
    Audited audit = TieredAudit.of(store);
    assertEquals(1, audit.errors().size(), audit.errors()::toString);
    String start = copy.directory().getFileName() + ": ";
    assertTrue(audit.errors().get(0).startsWith(start), audit.errors()::toString);
    assertEquals(List.of(), audit.messages());
    assertEquals(List.of(), audit.partitions());
  }

  @Test
  void aPartitionThatIsNotListedToItsEndIsLeftOut() throws Exception {
    Audited audit =
        Audited.of(
            merge -> {
              TieredFiles files = new TieredFiles(merge::error, DataKeys.NONE);
              files.add(new HalfListed(), "");
              return files.segments(Stream.empty());
            },
            false,
            bytes -> {});
    assertEquals(List.of(HalfListed.PARTITION + ": only half of it"), audit.errors());
    assertEquals(List.of(), audit.messages());
    assertEquals(List.of(), audit.partitions());
  }

  @Test
  void aStoreMayBeNamedTwice() throws Exception {
    Path store = data.resolve("store");
    TieredCopy copy = TieredCopy.kafka(SampleLog.write(data), store);
    Files.writeString(copy.directory().resolve("stray"), "no object of a segment");
    Audited audit =
        Audited.of(
            merge -> {
              TieredFiles files = new TieredFiles(merge::error, DataKeys.NONE);
              files.add(store.toString());
              files.add(store.toString());
              return files.segments(Stream.empty());
            },
            false,
            bytes -> {});
    assertEquals(List.of(), audit.errors());
    assertEquals(List.of("finding TIERED_OBJECT_ORPHAN stray@0"), audit.faults());
    assertEquals(copy.segments(), audit.files().size());
  }

  /** The search of the directory reports it. */
  @Test
  void aDirectoryWhoseEntriesCannotBeReadIsNotTiered() {
    TieredFiles files = new TieredFiles((name, why) -> {}, DataKeys.NONE);
    String topic = "orders-" + HalfListed.ID;
    for (String name : List.of(HalfListed.PARTITION, topic)) {
      assertFalse(files.addIfTiered(UnlistedDirectory.of(data.resolve(name))), name);
    }
  }

  /** A store whose only partition is not listed to its end. */
  private static final class HalfListed implements ObjectStore {
    private static final String ID = "a".repeat(22);
    private static final String PARTITION = "orders-3-" + ID;

    @Override
    public Map<String, IOException> list(String below, Visitor visitor) {
      visitor.object(PARTITION + "/00000000000000000000-" + ID + ".index", 0);
      return Map.of(PARTITION, new IOException("only half of it"));
    }

    @Override
    public long size(String key) throws IOException {
      throw new IOException("not to be read");
    }

    @Override
    public InputStream open(String key, long position) throws IOException {
      throw new IOException("not to be read");
    }

    @Override
    public String name(String key) {
      return key;
    }
  }
}
