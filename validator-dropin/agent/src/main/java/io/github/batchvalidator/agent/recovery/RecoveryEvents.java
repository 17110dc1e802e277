// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.agent.FlightRecorder;

/** The events of the flight recorder, if the JVM has one. */
final class RecoveryEvents {
  private static final boolean AVAILABLE = FlightRecorder.isAvailable();

  private RecoveryEvents() {}

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
