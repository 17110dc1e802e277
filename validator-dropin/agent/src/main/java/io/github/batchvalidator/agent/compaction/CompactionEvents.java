// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.FlightRecorder;

/** The events of the flight recorder, if the JVM has one. */
final class CompactionEvents {
  private static final boolean AVAILABLE = FlightRecorder.isAvailable();

  private CompactionEvents() {}

  static void damaged(String partition, long segment, Fault fault, boolean stopped) {
    if (AVAILABLE) {
      DamagedBatchEvent.write(partition, segment, fault, stopped);
    }
  }
}
