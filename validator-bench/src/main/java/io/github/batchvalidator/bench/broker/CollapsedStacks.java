// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.List;

/**
 * Counts what async-profiler writes as {@code collapsed}: a line for each stack, frames from the
 * outermost on with semicolons between, and behind a space how much of it was seen.
 */
final class CollapsedStacks {
  /**
   * Where Kafka and the drop-in are entered, its constructor, too, and where the agent goes to
   * before; all below is theirs, native code too.
   */
  private static final List<String> VALIDATORS =
      List.of(LoadedClasses.LOG_VALIDATOR + ".", "io.github.batchvalidator.dropin.OffLock.");

  private CollapsedStacks() {}

  /**
   * Returns the part of all that was seen below the entries of the validator, 0 to 1.
   *
   * @throws IllegalArgumentException if there is nothing
   */
  static double validatorShare(List<String> lines) {
    long all = 0;
    long below = 0;
    for (String line : lines) {
      int space = line.lastIndexOf(' ');
      if (space > 0) {
        long weight = Long.parseLong(line.substring(space + 1));
        all += weight;
        below += hasValidator(line.substring(0, space)) ? weight : 0;
      }
    }
    if (all == 0) {
      throw new IllegalArgumentException("the profile is empty");
    }
    return (double) below / all;
  }

  private static boolean hasValidator(String stack) {
    for (String frame : stack.replace('/', '.').split(";", -1)) {
      if (VALIDATORS.stream().anyMatch(frame::startsWith)) {
        return true;
      }
    }
    return false;
  }
}
