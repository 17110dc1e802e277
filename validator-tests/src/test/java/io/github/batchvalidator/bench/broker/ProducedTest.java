// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ProducedTest {
  @Test
  void aLineIsReadAsItWasWritten() {
    Histogram latencies = Latencies.empty();
    latencies.recordValue(1_500_000);
    latencies.recordValue(70_000_000_000L);
    Produced produced = new Produced(131_072, 11_000.25, 9_123.5, latencies);
    assertEquals(produced, Produced.parse(produced.text()));
    assertEquals(1.5, Latencies.ms(Produced.parse(produced.text()).latencies(), 50), 0.01);
  }

  @Test
  void anythingElseIsNoResult() {
    String text = new Produced(1, 1, 1, Latencies.empty()).text();
    assertThrows(IllegalArgumentException.class, () -> Produced.parse("INFO " + text));
    assertThrows(IllegalArgumentException.class, () -> Produced.parse(text + " more"));
    assertThrows(
        IllegalArgumentException.class, () -> Produced.parse(text.substring(0, text.length() - 9)));
    assertFalse(Produced.isText("producedby"));
  }
}
