// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

/** The events of the flight recorder, if the JVM has one. */
final class RecoveryEvents {
  private static final boolean AVAILABLE = isAvailable();

  private RecoveryEvents() {}

  private static boolean isAvailable() {
    try {
      Class.forName("jdk.jfr.Event");
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  static void recovered(String partition, long segment, long bytes, long batches, long nanos) {
    if (AVAILABLE) {
      RecoveredSegmentEvent.write(partition, segment, bytes, batches, nanos, "");
    }
  }

  static void left(String partition, long segment, Unsound reason) {
    if (AVAILABLE) {
      RecoveredSegmentEvent.write(partition, segment, 0, 0, 0, reason.name());
    }
  }
}
