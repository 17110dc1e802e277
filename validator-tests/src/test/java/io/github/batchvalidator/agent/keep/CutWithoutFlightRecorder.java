// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.nio.file.Path;

/** Reports a cut in a JVM that may lack the flight recorder, and prints the count. */
public final class CutWithoutFlightRecorder {
  private CutWithoutFlightRecorder() {}

  public static void main(String[] arguments) {
    CutReport report = new CutReport();
    report.torn(Path.of("t-0", "00000000000000000000.log"), 0, 1);
    boolean hasModule = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    System.out.println("jdk.jfr: " + hasModule + ", torn: " + report.tornCuts());
  }
}
