// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The place where cut bytes are kept: a configured directory, or plain files in the root of the log
 * directory, which {@code LogManager} ignores. Nothing deletes these files but the operator.
 * Thread-safe.
 */
final class KeptFiles {
  /** The prefix of the names of all kept files. */
  static final String PREFIX = "batchvalidator-kept-";

  /** The end of the name of a copy that is not complete. */
  private static final String UNFINISHED = ".unfinished";

  private final FileTime started =
      FileTime.fromMillis(ManagementFactory.getRuntimeMXBean().getStartTime());
  private final @Nullable Path directory;
  private final long quota;

  /** The files that are being written, and the bytes that each will have. */
  private final Map<Path, Long> reserved = new HashMap<>();

  /**
   * Creates a place.
   *
   * @param directory the configured directory, or null for the root of each log directory
   * @param quota the largest number of bytes of all kept files of a directory
   */
  KeptFiles(@Nullable Path directory, long quota) {
    this.directory = directory;
    this.quota = quota;
  }

  /** {@return the directory for the files of a partition} */
  Path placeOf(Path partition) throws IOException {
    Path root = partition.toAbsolutePath().getParent();
    if (root == null) {
      throw new IOException(partition + " has no log directory");
    }
    if (directory == null) {
      return root;
    }
    Path outer = KeptPlace.outer(directory, List.of(root));
    if (outer != null) {
      throw new IOException(
          directory + " is inside of " + outer + ", where Kafka takes a directory for a partition");
    }
    return Files.createDirectories(directory);
  }

  /**
   * Reserves room for a new file until {@link #release}, or throws if the quota has none. Deletes
   * copies that an earlier start of the broker has not finished: Kafka has not cut these bytes.
   */
  synchronized void reserve(Path place, Path file, long bytes) throws IOException {
    deleteUnfinished(place);
    long used = 0;
    for (Path each : kept(place, false)) {
      used += reserved.containsKey(each) ? 0 : size(each);
    }
    for (Map.Entry<Path, Long> each : reserved.entrySet()) {
      used += place.equals(each.getKey().getParent()) ? each.getValue() : 0;
    }
    if (used + bytes > quota) {
      throw new IOException(
          "the quota of " + quota + " bytes has no room for " + bytes + ", used are " + used);
    }
    reserved.put(file, bytes);
  }

  /** Gives back what was reserved for a file, once it is kept or cannot be. */
  synchronized void release(Path file) {
    reserved.remove(file);
  }

  /** {@return the bytes of all kept files of a directory, without unfinished copies} */
  static long used(Path place) throws IOException {
    long used = 0;
    for (Path each : kept(place, false)) {
      used += size(each);
    }
    return used;
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0; // deleted meanwhile
    }
  }

  /**
   * A copy of another broker that shares the place is newer than the start of this one. One of this
   * broker is not if the clock was set back.
   */
  private void deleteUnfinished(Path place) throws IOException {
    List<Path> own = reserved.keySet().stream().map(KeptFiles::unfinished).toList();
    for (Path each : kept(place, true)) {
      if (!own.contains(each) && isOlder(each)) {
        Files.deleteIfExists(each);
      }
    }
  }

  private boolean isOlder(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file).compareTo(started) < 0;
    } catch (NoSuchFileException e) {
      return false; // another broker has finished it meanwhile
    }
  }

  private static Path unfinished(Path file) {
    return file.resolveSibling(file.getFileName() + UNFINISHED);
  }

  private static List<Path> kept(Path place, boolean unfinished) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files
          .filter(each -> each.getFileName().toString().startsWith(PREFIX))
          .filter(each -> each.getFileName().toString().endsWith(UNFINISHED) == unfinished)
          .toList();
    }
  }

  /** {@return a name that is not used yet} */
  static Path free(Path place, String start, String end) {
    Path file = place.resolve(start + end);
    for (int i = 1; Files.exists(file); i++) {
      file = place.resolve(start + "." + i + end);
    }
    return file;
  }

  /** Copies a range of a file. The copy gets its name when it is complete. */
  static void copy(FileChannel from, long start, long end, Path to) throws IOException {
    Path unfinished = unfinished(to);
    try {
      write(from, start, end, unfinished);
      Files.move(unfinished, to);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void write(FileChannel from, long start, long end, Path to) throws IOException {
    try (FileChannel out =
        FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long position = start;
      while (position < end) {
        long copied = from.transferTo(position, end - position, out);
        if (copied <= 0) {
          throw new IOException("the segment ends at " + position);
        }
        position += copied;
      }
      out.force(true);
    }
  }
}
