// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibrarySideTest {
  /** A gate that stays open or shut would decide what later tests of the same JVM run through. */
  @ParameterizedTest
  @ValueSource(strings = {"OPEN", "SHUT"})
  void closePutsTheGateBack(String gate) {
    boolean isForced = System.getProperty("snappy.walk", "").equals(gate);
    try (LibrarySide side = new LibrarySide()) {
      side.gate(gate);
      assertTrue(isForced || !WalkGates.isPutBack());
    }
    assertTrue(WalkGates.isPutBack());
  }
}
