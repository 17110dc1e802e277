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
import java.util.List;
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
  private long reserved;

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
    if (KeptPlace.isWithin(directory, root)) {
      throw new IOException(
          directory + " is inside of " + root + ", where Kafka takes a directory for a partition");
    }
    return Files.createDirectories(directory);
  }

  /**
   * Reserves room for more bytes until {@link #release}, or throws if the quota has none. Deletes
   * copies that an earlier start of the broker has not finished: Kafka has not cut these bytes.
   */
  synchronized void reserve(Path place, long bytes) throws IOException {
    deleteUnfinished(place);
    long used = used(place) + reserved;
    if (used + bytes > quota) {
      throw new IOException(
          "the quota of " + quota + " bytes has no room for " + bytes + ", used are " + used);
    }
    reserved += bytes;
  }

  /** Gives back what was reserved, once the bytes are kept or cannot be. */
  synchronized void release(long bytes) {
    reserved -= bytes;
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

  /** A copy of another broker that shares the place is newer than the start of this one. */
  private void deleteUnfinished(Path place) throws IOException {
    for (Path each : kept(place, true)) {
      if (Files.getLastModifiedTime(each).compareTo(started) < 0) {
        Files.deleteIfExists(each);
      }
    }
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
    Path unfinished = to.resolveSibling(to.getFileName() + UNFINISHED);
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
