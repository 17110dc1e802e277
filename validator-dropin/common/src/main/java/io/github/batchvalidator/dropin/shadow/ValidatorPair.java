// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import org.jspecify.annotations.Nullable;

/** The two validators of a Kafka line, and the line's types. Safe for all threads. */
final class ValidatorPair {
  private final LineCalls stock;
  private final LineTypes types;
  private volatile @Nullable LineCalls ours;

  /**
   * Links Kafka's class. Ours is linked with the first append.
   *
   * @param stock Kafka's class
   * @throws ReflectiveOperationException if a member is missing
   */
  ValidatorPair(Class<?> stock) throws ReflectiveOperationException {
    this.stock = new LineCalls(stock);
    types = new LineTypes(stock);
  }

  /** {@return the calls of Kafka's validator} */
  LineCalls stock() {
    return stock;
  }

  /** {@return the types that moved between lines} */
  LineTypes types() {
    return types;
  }

  /**
   * {@return the calls of our validator, which is of the same class in every append of a broker}
   */
  LineCalls ours(Class<?> type) throws ReflectiveOperationException {
    LineCalls known = ours;
    if (known == null) {
      known = new LineCalls(type);
      ours = known;
    }
    return known;
  }
}
