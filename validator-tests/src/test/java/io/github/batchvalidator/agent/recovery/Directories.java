// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Log directories with one partition and the files that were kept of it. */
public final class Directories {
  private static final Path MEMORY = Path.of("/dev/shm");

  private Directories() {}

  /** Creates an empty directory in memory, if there is such a file system. */
  public static Path create() throws IOException {
    // Snapshots are flushed to the device, which takes milliseconds on a disk.
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    return Files.createTempDirectory(parent, "crashed");
  }

  /** Returns the directory of the partition. */
  static Path partition(Path directory) {
    return directory.resolve(CrashedPartition.NAME);
  }

  /** Copies a directory. */
  static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path target = to.resolve(from.relativize(each));
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
      }
    }
    return to;
  }

  /** Returns the first difference between two partitions, or an empty text. */
  static String difference(Path stock, Path ours) throws IOException {
    List<String> names = names(stock);
    if (!names.equals(names(ours))) {
      return "stock: " + names + ", ours: " + names(ours);
    }
    for (String name : names) {
      long at = Files.mismatch(stock.resolve(name), ours.resolve(name));
      if (at >= 0) {
        return name + " differs at " + at;
      }
    }
    return "";
  }

  private static List<String> names(Path partition) throws IOException {
    return files(partition).stream().map(each -> each.getFileName().toString()).toList();
  }

  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.sorted().toList());
    }
  }
}
