// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

/**
 * A source of choices from which the generator draws. The choice 0 is always the simplest one, so
 * that a failure shrinks by smaller numbers and fewer choices.
 */
@FunctionalInterface
interface Choices {
  /** Returns a number from 0 to {@code n - 1}. */
  int below(int n);

  /** Returns true once in so many times. */
  default boolean oneIn(int n) {
    return below(n) == n - 1;
  }

  /** Returns one of the values; the first is the simplest. */
  @SuppressWarnings("unchecked")
  default <T> T of(T... values) {
    return values[below(values.length)];
  }

  /** Returns one of the values; the first is the simplest. */
  default long of(long[] values) {
    return values[below(values.length)];
  }

  /** Returns any byte. */
  default byte anyByte() {
    return (byte) below(1 << Byte.SIZE);
  }
}
