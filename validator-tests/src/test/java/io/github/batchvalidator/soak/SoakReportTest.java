// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakReportTest {
  private static final String TOO_FEW = "too few samples";

  private static String report(int samples) {
    List<SoakSample> taken = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      taken.add(new SoakSample(i, i, 50 << 20, 0, 0, 30));
    }
    return new SoakReport("command", taken, new SoakCounts()).toText();
  }

  /** A run that fails early has a report, and ends with its failure. */
  @Test
  void fewSamplesHaveNoGrowth() {
    for (int samples = 0; samples < 3; samples++) {
      String text = report(samples);
      assertTrue(text.contains(TOO_FEW), text);
      assertTrue(text.contains("Inspected: 0 accepted"), text);
    }
  }

  @Test
  void threeSamplesHave() {
    String text = report(3);
    assertFalse(text.contains(TOO_FEW), text);
    assertTrue(text.contains("| open files | 30 | 30 | 0 | 2 | flat |"), text);
  }
}
