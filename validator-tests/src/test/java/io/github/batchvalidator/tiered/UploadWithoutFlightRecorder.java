// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.nio.file.Path;

/** Reports a refused upload in a JVM that may lack the flight recorder. */
public final class UploadWithoutFlightRecorder {
  private UploadWithoutFlightRecorder() {}

  public static void main(String[] arguments) {
    UploadEvents.refused(Path.of("00000000000000000000.log"), new UploadFindings(""), "no test");
    boolean hasModule = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    System.out.println("jdk.jfr: " + hasModule + ", reported");
  }
}
