// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.List;

/** Where in a stack of a broker the validator begins, Kafka's or ours. */
final class ValidatorFrames {
  /**
   * Where Kafka and the drop-in are entered, its constructor, too, and where the agent goes to
   * before; all below is theirs, native code too.
   */
  private static final List<String> ENTRIES =
      List.of(LoadedClasses.LOG_VALIDATOR + ".", "io.github.batchvalidator.dropin.OffLock.");

  private ValidatorFrames() {}

  /** Tells whether a frame is an entry, by the names of its class and method. */
  static boolean isEntry(String frame) {
    return ENTRIES.stream().anyMatch(frame::startsWith);
  }
}
