// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The thresholds of the gate, each from both sides. */
class WalkGateTest {
  private final WalkGate gate = new WalkGate();

  @ParameterizedTest
  @CsvSource({
    "4095,  100,  1, false",
    "4096,  100,  1, true",
    "6000,  100, 20, true",
    "6000,  100, 21, false",
    "10000, 8999, 1, true",
    "10000, 9000, 1, false",
  })
  void thresholds(long plainBytes, long storedBytes, int records, boolean admitted) {
    assertEquals(admitted, gate.admits(plainBytes, storedBytes, records));
    gate.mode(WalkGate.Mode.OPEN);
    assertEquals(true, gate.admits(plainBytes, storedBytes, records));
  }

  @ParameterizedTest
  @CsvSource({"4095, false", "4096, true"})
  void thresholdOfABlock(long plainBytes, boolean admitted) {
    assertEquals(admitted, gate.admitsBlock(plainBytes));
    gate.mode(WalkGate.Mode.OPEN);
    assertEquals(true, gate.admitsBlock(plainBytes));
  }
}
