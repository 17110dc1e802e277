// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

/**
 * What {@link ValidationCounts} held at one time. Immutable. Batches counted while it was taken may
 * be in one of its numbers and not yet in another.
 */
public final class CountsSnapshot extends Counts {
  private final long[] numbers;

  CountsSnapshot(long[] numbers) {
    this.numbers = numbers;
  }

  @Override
  long at(int place) {
    return numbers[place];
  }
}
