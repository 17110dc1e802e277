// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The numbers that some run gave, in order: two runs that are to be the same have the same. */
public final class Trace {
  private static final int SHOWN = 200;

  private long[] numbers = new long[64];
  private int count;

  Trace add(long number) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = number;
    return this;
  }

  Trace add(boolean value) {
    return add(value ? 1 : 0);
  }

  Trace add(@Nullable Enum<?> value) {
    return add(value == null ? -1 : value.name().hashCode());
  }

  Trace add(byte[] bytes) {
    return add(bytes.length).add(Arrays.hashCode(bytes));
  }

  void requireSame(Trace other, String what) {
    Fuzzing.require(
        Arrays.equals(numbers, 0, count, other.numbers, 0, other.count),
        what + ": " + this + " and " + other);
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOf(numbers, Math.min(count, SHOWN)));
  }
}
