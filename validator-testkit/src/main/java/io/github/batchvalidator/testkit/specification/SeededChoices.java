// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.util.SplittableRandom;

/** Choices of a seed: the same ones each time. */
final class SeededChoices implements Choices {
  private final SplittableRandom random;

  SeededChoices(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public int below(int n) {
    return random.nextInt(n);
  }
}
