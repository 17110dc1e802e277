// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testing.ProcessMemory;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts of the operating system for the process of a broker.
 *
 * @param threads of the process
 * @param files open ones, sockets included
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
        count(process.resolve("fd")),
        KIB * ProcessMemory.nowKib(broker.pid()));
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
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
