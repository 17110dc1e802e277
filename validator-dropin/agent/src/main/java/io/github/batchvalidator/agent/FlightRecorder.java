// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

/** The JDK's flight recorder, whose module {@code jdk.jfr} a JVM may lack. */
public final class FlightRecorder {
  private FlightRecorder() {}

  /** {@return true if classes of events can be loaded} */
  public static boolean isAvailable() {
    try {
      Class.forName("jdk.jfr.Event");
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
