// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/** Refuses a batch in a separate JVM, which has no module but {@code java.base}. */
final class WithoutFlightRecorder {
  private WithoutFlightRecorder() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    ValidationCounts counts = new ValidationCounts();
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      validator
          .listener(new FlightRecorderEvents().and(counts))
          .inspect(ByteBuffer.allocate(100), Policy.CLIENT, 0, verdict);
    }
    boolean found = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    System.out.println(
        "jdk.jfr: " + found + ", refused: " + counts.refused() + " " + verdict.reason());
  }
}
