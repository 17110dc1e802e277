// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

/**
 * A copy of {@link ValidationCounts} at one time. Immutable. A batch that was counted at the same
 * time may be included in some of the numbers only.
 */
final class CountsSnapshot extends Counts {
  private final long[] numbers;

  CountsSnapshot(long[] numbers) {
    this.numbers = numbers;
  }

  @Override
  long at(int place) {
    return numbers[place];
  }
}
