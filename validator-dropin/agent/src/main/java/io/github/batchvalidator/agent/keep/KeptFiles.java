// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The place where cut bytes are kept: a configured directory, or plain files in the root of the log
 * directory, which {@code LogManager} ignores. Nothing deletes these files but the operator.
 */
final class KeptFiles {
  /** The prefix of the names of all kept files. */
  static final String PREFIX = "batchvalidator-kept-";

  private final @Nullable Path directory;
  private final long quota;

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
    if (directory != null) {
      return Files.createDirectories(directory);
    }
    Path root = partition.toAbsolutePath().getParent();
    if (root == null) {
      throw new IOException(partition + " has no log directory");
    }
    return root;
  }

  /** Throws if the quota has no room for more bytes. */
  void reserve(Path place, long bytes) throws IOException {
    long used = used(place);
    if (used + bytes > quota) {
      throw new IOException(
          "the quota of " + quota + " bytes has no room for " + bytes + ", used are " + used);
    }
  }

  /** {@return the bytes of all kept files of a directory} */
  static long used(Path place) throws IOException {
    long used = 0;
    try (Stream<Path> files = Files.list(place)) {
      for (Path each : files.filter(KeptFiles::isKept).toList()) {
        used += Files.size(each);
      }
    }
    return used;
  }

  private static boolean isKept(Path file) {
    return file.getFileName().toString().startsWith(PREFIX);
  }

  /** {@return a name that is not used yet} */
  static Path free(Path place, String start, String end) {
    Path file = place.resolve(start + end);
    for (int i = 1; Files.exists(file); i++) {
      file = place.resolve(start + "." + i + end);
    }
    return file;
  }

  /** Copies a range of a file. Deletes what was written if that fails. */
  static void copy(FileChannel from, long start, long end, Path to) throws IOException {
    boolean complete = false;
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
      complete = true;
    } finally {
      if (!complete) {
        Files.deleteIfExists(to);
      }
    }
  }
}
