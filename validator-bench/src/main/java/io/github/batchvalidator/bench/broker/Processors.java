// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Gives brokers one half of the processors and producers the other, by {@code taskset}.
 *
 * @param all by their numbers; fewer than two if processes cannot be pinned
 */
record Processors(List<Integer> all) {
  private static final String TASKSET = "taskset";
  private static final int ATTEMPTS = 5;

  /** Returns those of this process; none without {@code taskset}. */
  static Processors available() throws InterruptedException {
    try {
      String pid = Long.toString(ProcessHandle.current().pid());
      return parse(run(TASKSET, "-c", "-p", pid));
    } catch (IOException e) {
      return new Processors(List.of());
    }
  }

  /** Reads what {@code taskset} says, such as {@code pid 7's current affinity list: 0,2-5}. */
  static Processors parse(String output) {
    List<Integer> all = new ArrayList<>();
    for (String range : output.substring(output.lastIndexOf(':') + 1).strip().split(",", -1)) {
      String[] ends = range.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int i = Integer.parseInt(ends[0]); i <= last; i++) {
        all.add(i);
      }
    }
    return new Processors(all);
  }

  boolean canPin() {
    return all.size() > 1;
  }

  List<Integer> ofBrokers() {
    return all.subList(0, all.size() / 2);
  }

  List<Integer> ofProducers() {
    return all.subList(all.size() / 2, all.size());
  }

  /**
   * Moves all threads of a process, if processes can be pinned. The command fails if a thread ends
   * after it was listed, so it is repeated.
   *
   * @param processors that it may use
   */
  void pin(long pid, List<Integer> processors) throws IOException, InterruptedException {
    boolean isPinned = !canPin();
    for (int left = ATTEMPTS; !isPinned; left--) {
      try {
        run(TASKSET, "-a", "-p", "-c", list(processors), Long.toString(pid));
        isPinned = true;
      } catch (IOException e) {
        if (left == 1) {
          throw e;
        }
      }
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output;
  }

  private static String list(List<Integer> processors) {
    return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns who has which, for readers. */
  String description() {
    return canPin()
        ? "brokers on %s, producers on %s; one partition with more producers: both on %s"
            .formatted(list(ofBrokers()), list(ofProducers()), list(all))
        : "not pinned";
  }
}
