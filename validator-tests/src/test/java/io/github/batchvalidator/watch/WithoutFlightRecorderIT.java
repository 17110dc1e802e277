// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.dropin.BrokerJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The validator in a JVM without the module of the flight recorder. */
class WithoutFlightRecorderIT {
  /** As in a runtime that jlink made without {@code jdk.jfr}. */
  @Test
  void aRuntimeWithoutTheModuleWorks() throws Exception {
    String said =
        BrokerJvm.run(
            List.of(location(BatchValidator.class), location(WithoutFlightRecorder.class)),
            List.of("--limit-modules", "java.base"),
            List.of(WithoutFlightRecorder.class.getName()));
    assertEquals("jdk.jfr: false, refused: 1 FRAMING_LENGTH_TOO_SMALL", said.strip());
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
