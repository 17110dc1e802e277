// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.nio.file.Path;

/** The events of the flight recorder, if the JVM has one. */
final class UploadEvents {
  private static final boolean AVAILABLE = isAvailable();

  private UploadEvents() {}

  private static boolean isAvailable() {
    try {
      Class.forName("jdk.jfr.Event");
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Writes the event of a refused call. */
  static void refused(Path segment, UploadFindings found, String why) {
    if (AVAILABLE) {
      RefusedUploadEvent.write(
          segment.toString(), String.join(", ", found.reasons().keySet()), why);
    }
  }
}
