// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/** The values that must stay flat over the second half of a soak, and their allowed growth. */
enum Flatness {
  HEAP("heap in use, KiB", 1 << 10, 2 << 20, SoakSample::heap),
  TRACKED("JVM beside the heap, KiB", 1 << 10, 8 << 20, SoakSample::tracked),
  RESIDENT("resident, KiB", 1 << 10, 24 << 20, SoakSample::resident),
  FILES("open files", 1, 2, SoakSample::files);

  /** With fewer, the second half has no slope. */
  static final int FEWEST_SAMPLES = 3;

  private final String title;
  private final int unit;
  private final long mostGrowth;

  @SuppressWarnings("ImmutableEnumChecker") // the references capture nothing
  private final ToLongFunction<SoakSample> value;

  Flatness(String title, int unit, long mostGrowth, ToLongFunction<SoakSample> value) {
    this.title = title;
    this.unit = unit;
    this.mostGrowth = mostGrowth;
    this.value = value;
  }

  String title() {
    return title;
  }

  /** Returns what a sample has of it, in the unit of the title. */
  long of(SoakSample sample) {
    return value.applyAsLong(sample) / unit;
  }

  long mostGrowth() {
    return mostGrowth / unit;
  }

  /**
   * Returns by how much it grew over the second half of the samples: the median of the slopes
   * between any two of them, times the time. In the unit of the title. The mean would follow the
   * few samples in which the drop-in still holds what a hostile append needed, as it does for some
   * appends more.
   */
  long growth(List<SoakSample> samples) {
    if (samples.size() < FEWEST_SAMPLES) {
      throw new IllegalArgumentException("too few samples: " + samples);
    }
    List<SoakSample> half = samples.subList(samples.size() / 2, samples.size());
    List<Double> slopes = new ArrayList<>();
    for (int i = 0; i < half.size(); i++) {
      for (int k = i + 1; k < half.size(); k++) {
        double grown = value.applyAsLong(half.get(k)) - value.applyAsLong(half.get(i));
        slopes.add(grown / (half.get(k).seconds() - half.get(i).seconds()));
      }
    }
    Collections.sort(slopes);
    long duration = half.get(half.size() - 1).seconds() - half.get(0).seconds();
    return Math.round(slopes.get(slopes.size() / 2) * duration / unit);
  }

  boolean isFlat(List<SoakSample> samples) {
    return growth(samples) <= mostGrowth();
  }
}
