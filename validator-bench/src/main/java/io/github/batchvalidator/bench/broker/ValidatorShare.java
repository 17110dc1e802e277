// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.testkit.broker.LoadedClasses;
import java.util.List;
import java.util.stream.Stream;

/**
 * The validator's part of a profile of a broker.
 *
 * @param all the weight of all stacks: nanoseconds or bytes
 * @param validator the weight of the stacks that contain the validator, Kafka's or ours
 */
record ValidatorShare(long all, long validator) {
  /**
   * The entry points: Kafka's class, which the drop-in replaces, and what the agent and the fork
   * call.
   */
  private static final List<String> ENTRIES =
      List.of(
          LoadedClasses.LOG_VALIDATOR + ".",
          "io.github.batchvalidator.dropin.OffLock.",
          "io.github.batchvalidator.fork.EarlyAppends.",
          "io.github.batchvalidator.fork.EarlyAppend.");

  /**
   * Reads the collapsed stacks of async-profiler: frames separated by semicolons, the outermost
   * first, followed by a space and the weight.
   *
   * @throws IllegalArgumentException if there is no stack
   */
  static ValidatorShare of(List<String> collapsed) {
    long all = 0;
    long validator = 0;
    for (String line : collapsed) {
      int space = line.lastIndexOf(' ');
      if (space > 0) {
        long weight = Long.parseLong(line.substring(space + 1));
        all += weight;
        validator += hasEntry(line.substring(0, space)) ? weight : 0;
      }
    }
    if (all == 0) {
      throw new IllegalArgumentException("the profile is empty");
    }
    return new ValidatorShare(all, validator);
  }

  private static boolean hasEntry(String stack) {
    return Stream.of(stack.replace('/', '.').split(";", -1))
        .anyMatch(frame -> ENTRIES.stream().anyMatch(frame::startsWith));
  }

  /** Returns the part, from 0 to 1. */
  double part() {
    return (double) validator / all;
  }
}
