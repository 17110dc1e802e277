// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlatnessTest {
  private static final int SAMPLES = 60;
  private static final long NOISE = 512 << 10;

  private static List<SoakSample> heap(long perSecondBefore, long perSecondBehind) {
    List<SoakSample> samples = new ArrayList<>();
    long heap = 50 << 20;
    for (int i = 0; i < SAMPLES; i++) {
      heap += i < SAMPLES / 2 ? perSecondBefore : perSecondBehind;
      samples.add(new SoakSample(i, i, heap + (i % 2) * NOISE, 0, 0, 30));
    }
    return samples;
  }

  @Test
  void aLevelThatIsReachedEarlyIsFlat() {
    assertTrue(Flatness.HEAP.isFlat(heap(1 << 20, 0)));
    assertTrue(Flatness.FILES.isFlat(heap(0, 0)));
  }

  @Test
  void aFewPeaksAreNoGrowth() {
    List<SoakSample> samples = heap(0, 0);
    for (int i = SAMPLES - 5; i < SAMPLES; i++) {
      SoakSample sample = samples.get(i);
      samples.set(i, new SoakSample(i, i, sample.heap() + (256 << 20), 0, 0, 30));
    }
    assertTrue(Flatness.HEAP.isFlat(samples));
  }

  @Test
  void steadyGrowthIsNotFlat() {
    List<SoakSample> samples = heap(0, 100 << 10);
    assertFalse(Flatness.HEAP.isFlat(samples));
    long growth = Flatness.HEAP.growth(samples);
    assertTrue(2800 < growth && growth < 3000, () -> "grew by " + growth);
  }
}
