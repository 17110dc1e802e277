// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.NewDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The new directory of a partition. It has another name until it is complete, on disk and checked.
 *
 * <p>Nothing is ever written into an input.
 */
public final class RepairTarget {
  /** The end of the name of a directory that is not complete. */
  private static final String UNFINISHED = ".unfinished";

  private final Path parent;
  private final Path directory;

  /** The directory around the new one until that is complete. */
  private final Path outer;

  private RepairTarget(Path parent, Path directory) {
    this.parent = parent;
    this.directory = directory;
    outer = directory.resolveSibling(directory.getFileName() + UNFINISHED);
  }

  /**
   * Returns the target of a partition. Fails if it is an input, or has one, or if a copy is in
   * another one. Creates nothing.
   *
   * @param into the directory of the new directory
   * @param partition the name of the new directory
   * @param inputs the directories of the copies
   */
  public static RepairTarget of(Path into, String partition, List<Path> inputs) throws IOException {
    Path target = into.resolve(partition);
    Path real = NewDirectory.realPath(target);
    List<Path> known = new ArrayList<>();
    for (Path input : inputs) {
      Path path = input.toRealPath();
      for (Path other : known) {
        if (path.startsWith(other) || other.startsWith(path)) {
          throw new IOException(input + " is named twice, or is inside of another copy");
        }
      }
      if (real.startsWith(path) || path.startsWith(real)) {
        throw new IOException(target + " and the copy " + input + " are inside of each other");
      }
      known.add(path);
    }
    RepairTarget found = new RepairTarget(into, target);
    found.checkIsFree();
    return found;
  }

  Path directory() {
    return directory;
  }

  /** Returns the path of the new directory. */
  @Override
  public String toString() {
    return directory.toString();
  }

  private void checkIsFree() throws IOException {
    checkIsNew();
    if (Files.exists(outer, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          outer + " is left of a repair that was killed; delete it, unless that repair still runs");
    }
  }

  private void checkIsNew() throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(directory + " exists already and is no directory");
    }
    if (!LocalDirectory.list(directory).isEmpty()) {
      throw new IOException(directory + " exists already and is not empty");
    }
  }

  /** Creates the directory under another name, and returns its path. Its last name is right. */
  Path begin() throws IOException {
    checkIsFree();
    Files.createDirectories(parent);
    Files.createDirectory(outer);
    try {
      return Files.createDirectory(outer.resolve(directory.getFileName()));
    } catch (IOException e) {
      Files.delete(outer);
      throw e;
    }
  }

  /** Gives the directory its name. */
  void finish(Path unfinished) throws IOException {
    NewDirectory.sync(unfinished);
    checkIsNew();
    Files.deleteIfExists(directory); // empty
    Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
    NewDirectory.sync(parent);
  }

  /** Deletes what is left under the other name. */
  void discard(Path unfinished) throws IOException {
    if (Files.exists(unfinished)) {
      for (Path file : LocalDirectory.list(unfinished)) {
        Files.delete(file);
      }
      Files.delete(unfinished);
    }
    Files.delete(outer);
  }
}
