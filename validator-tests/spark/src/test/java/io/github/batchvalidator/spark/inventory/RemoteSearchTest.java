// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.tiered.DataKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches of a file system that is not local. */
class RemoteSearchTest {
  private static final String ID = "a".repeat(22);
  private static final String OFFSET = "00000000000000000000";

  @TempDir private Path data;

  private final List<String> problems = new ArrayList<>();

  private void problem(String name, String why) {
    problems.add(name + ": " + why);
  }

  @Test
  void aTieredPartitionThatCannotBeListedIsLeftOut() throws IOException {
    Path other = tiered("orders-3-" + ID);
    Path unlisted = tiered("unlisted-0-" + ID);
    Inventory inventory = new Inventory(RemoteFiles.storage(), DataKeys.NONE, this::problem);
    inventory.addTiered(RemoteFiles.name(data));
    assertEquals(1, inventory.segments(), problems::toString);
    String error = ": the list has no end";
    assertEquals(List.of(RemoteFiles.name(unlisted) + error), problems);
    inventory.addTiered(RemoteFiles.name(other)); // known already
    Path none = Files.createDirectory(data.resolve("none"));
    inventory.addTiered(RemoteFiles.name(none));
    inventory.addTiered(RemoteFiles.name(unlisted));
    String empty = ": contains no segments of a tiered storage";
    assertEquals(
        List.of(
            RemoteFiles.name(unlisted) + error,
            RemoteFiles.name(none) + empty,
            RemoteFiles.name(unlisted) + error),
        problems);
  }

  private Path tiered(String name) throws IOException {
    Path directory = Files.createDirectory(data.resolve(name));
    Files.createFile(directory.resolve(OFFSET + "-" + ID + ".log"));
    return directory;
  }

  @Test
  void partitionsBesideADigestAreCompared() throws IOException {
    Path partition = Files.createDirectory(data.resolve("orders-3"));
    Files.createFile(partition.resolve(OFFSET + ".log"));
    Files.createFile(data.resolve("other.digest"));
    CopySearch search = new CopySearch(RemoteFiles.storage(), this::problem);
    search.add(RemoteFiles.name(data));
    assertEquals(Set.of("orders-3"), search.copies().keySet());
    assertEquals(List.of(), problems);
  }
}
