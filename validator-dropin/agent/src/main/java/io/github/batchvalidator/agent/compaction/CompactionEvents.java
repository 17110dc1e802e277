// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

/** The events of the flight recorder, if the JVM has one. */
final class CompactionEvents {
  private static final boolean AVAILABLE = isAvailable();

  private CompactionEvents() {}

  private static boolean isAvailable() {
    try {
      Class.forName("jdk.jfr.Event");
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  static void damaged(String partition, long segment, Fault fault, boolean stopped) {
    if (AVAILABLE) {
      DamagedBatchEvent.write(partition, segment, fault, stopped);
    }
  }
}
