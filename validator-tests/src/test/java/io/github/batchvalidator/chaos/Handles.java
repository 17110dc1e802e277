// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testing.ProcessMemory;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the operating system for the process of a broker.
 *
 * @param threads of the process
 * @param files open ones, sockets included. Kafka keeps each segment open, so a file in the
 *     broker's data counts only if it is deleted, or each time it is open again
 * @param residentBytes memory, with a heap that is resident from the start
 */
record Handles(long threads, long files, long residentBytes) {
  /** A broker may open connections and start workers, but not for each batch. */
  private static final long THREADS = 16;

  private static final long FILES = 100;

  /** As large as the growth of two workers that meet giant batches. */
  static final long BYTES = 48 << 20;

  private static final int KIB = 1024;

  /** Asks the system, which is Linux, about a running broker. */
  static Handles of(BrokerProcess broker) throws IOException {
    Path process = Path.of("/proc", Long.toString(broker.pid()));
    return new Handles(
        count(process.resolve("task")),
        files(process.resolve("fd"), broker.data()),
        KIB * ProcessMemory.nowKib(broker.pid()));
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    }
  }

  static long files(Path descriptors, Path data) throws IOException {
    Set<Path> segments = new HashSet<>();
    long files = 0;
    try (Stream<Path> entries = Files.list(descriptors)) {
      for (Path each : entries.toList()) {
        @Nullable Path target = target(each);
        boolean isSegment = target != null && target.startsWith(data) && Files.exists(target);
        files += isSegment && segments.add(target) ? 0 : 1;
      }
    }
    return files;
  }

  private static @Nullable Path target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (NoSuchFileException e) {
      return null; // closed meanwhile
    }
  }

  /** Returns a sentence for each quantity that is much larger than it was. */
  List<String> growthSince(Handles before) {
    List<String> grown = new ArrayList<>();
    compare(grown, "threads", before.threads, threads, THREADS);
    compare(grown, "open files", before.files, files, FILES);
    compare(grown, "resident bytes", before.residentBytes, residentBytes, BYTES);
    return grown;
  }

  static void compare(List<String> grown, String what, long before, long now, long most) {
    if (now - before > most) {
      grown.add(what + " grew from " + before + " to " + now);
    }
  }
}
