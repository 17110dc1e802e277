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
 * @param threads by their ids; empty where the system does not tell
 */
record NativeThreads(Map<String, OfThread> threads) {
  /**
   * What one thread has used.
   *
   * @param name of which Linux keeps 15 characters
   */
  record OfThread(String name, long nanos) {}

  /**
   * Asks the system.
   *
   * @param pid of the process
   */
  static NativeThreads of(long pid) throws IOException {
    Map<String, OfThread> threads = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        read(task, threads);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new NativeThreads(Map.of());
    }
    return new NativeThreads(threads);
  }

  private static void read(Path task, Map<String, OfThread> threads) {
    try {
      String name = Files.readString(task.resolve("comm")).strip();
      String ran = Files.readString(task.resolve("schedstat")).split(" ", 2)[0];
      threads.put(task.getFileName().toString(), new OfThread(name, Long.parseLong(ran)));
    } catch (IOException e) {
      return; // it has ended meanwhile, or the system keeps no such count
    }
  }

  /**
   * Returns the CPU time since then of some threads; what ended in between is not known.
   *
   * @param counted tells them by their names
   */
  long nanosSince(NativeThreads then, Predicate<String> counted) {
    long sum = 0;
    for (var each : threads.entrySet()) {
      if (counted.test(each.getValue().name())) {
        OfThread before = then.threads.get(each.getKey());
        sum += each.getValue().nanos() - (before == null ? 0 : before.nanos());
      }
    }
    return sum;
  }
}
