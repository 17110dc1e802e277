// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * CPU time of the threads of a process, those of the collector and the compiler included, as Linux
 * counts it: to the nanosecond, where what a JVM tells of itself has steps of 10 ms.
 *
 * @param nanos by the id of the thread; empty where the system does not tell
 */
record NativeThreads(Map<String, Long> nanos) {
  /**
   * Asks the system.
   *
   * @param pid of the process
   * @param leftOut tells by the name of a thread, of which Linux keeps 15 characters
   */
  static NativeThreads of(long pid, Predicate<String> leftOut) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        read(task, leftOut, nanos);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new NativeThreads(Map.of());
    }
    return new NativeThreads(nanos);
  }

  private static void read(Path task, Predicate<String> leftOut, Map<String, Long> nanos) {
    try {
      if (!leftOut.test(Files.readString(task.resolve("comm")).strip())) {
        String ran = Files.readString(task.resolve("schedstat")).split(" ", 2)[0];
        nanos.put(task.getFileName().toString(), Long.parseLong(ran));
      }
    } catch (IOException e) {
      return; // it has ended meanwhile, or the system keeps no such count
    }
  }

  /** Returns the CPU time since then; what ended in between is not known. */
  long nanosSince(NativeThreads then) {
    long sum = 0;
    for (var each : nanos.entrySet()) {
      sum += each.getValue() - then.nanos.getOrDefault(each.getKey(), 0L);
    }
    return sum;
  }
}
