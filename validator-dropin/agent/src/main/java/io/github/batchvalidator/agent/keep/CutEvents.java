// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import io.github.batchvalidator.agent.FlightRecorder;
import java.nio.file.Path;

/** The events of the flight recorder, if the JVM has one. */
final class CutEvents {
  private static final boolean AVAILABLE = FlightRecorder.isAvailable();

  private CutEvents() {}

  /**
   * Writes an event.
   *
   * @param outcome what became of the cut bytes
   * @param segment the segment file
   * @param bytes the number of cut bytes, or -1 if it is not known
   * @param why why Kafka cuts, or what failed
   * @param kept the kept file, or an empty text
   */
  static void cut(CutOutcome outcome, Path segment, long bytes, String why, String kept) {
    if (AVAILABLE) {
      CutEvent.write(outcome.name(), segment.toString(), bytes, why, kept);
    }
  }
}
