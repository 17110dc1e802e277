// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.fault;

import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A holder of at most one fault: a reason, the two operands of its sentence and the exception that
 * led to it.
 *
 * <p>Reused for every batch. Never allocates. Confined to one thread.
 */
public final class Fault {
  private @Nullable Reason reason;
  private long first;
  private long second;
  private @Nullable Throwable cause;

  public Fault() {}

  public void clear() {
    if (reason != null) { // rare, and writing references costs more than comparing one
      reason = null;
      first = 0;
      second = 0;
      cause = null;
    }
  }

  /**
   * Sets the fault and replaces any earlier one.
   *
   * @param why the reason
   * @param firstOperand the first operand of the reason's sentence
   * @param secondOperand the second operand of the reason's sentence
   * @return always false, so a check can return the result
   */
  public boolean set(Reason why, long firstOperand, long secondOperand) {
    return set(why, firstOperand, secondOperand, null);
  }

  /**
   * Sets the fault and replaces any earlier one.
   *
   * @param why the reason
   * @param firstOperand the first operand of the reason's sentence
   * @param secondOperand the second operand of the reason's sentence
   * @param thrown the exception that led to the fault, or null
   * @return always false, so a check can return the result
   */
  public boolean set(
      Reason why, long firstOperand, long secondOperand, @Nullable Throwable thrown) {
    reason = why;
    first = firstOperand;
    second = secondOperand;
    cause = thrown;
    return false;
  }

  /**
   * Sets the fault unless an earlier one is set.
   *
   * @param why the reason
   * @param firstOperand the first operand of the reason's sentence
   * @param secondOperand the second operand of the reason's sentence
   * @param thrown the exception that led to the fault, or null
   * @return always false, so a check can return the result
   */
  public boolean setFirst(
      Reason why, long firstOperand, long secondOperand, @Nullable Throwable thrown) {
    return reason == null && set(why, firstOperand, secondOperand, thrown);
  }

  /**
   * Copies another fault.
   *
   * @param other the fault to copy
   * @return always false, so a check can return the result
   */
  public boolean copy(Fault other) {
    reason = other.reason;
    first = other.first;
    second = other.second;
    cause = other.cause;
    return false;
  }

  public boolean isSet() {
    return reason != null;
  }

  /** {@return the reason, or null if there is no fault} */
  public @Nullable Reason reason() {
    return reason;
  }

  /** {@return the first operand of the reason's sentence} */
  public long first() {
    return first;
  }

  /** {@return the second operand of the reason's sentence} */
  public long second() {
    return second;
  }

  /** {@return the exception that led to the fault, or null} */
  public @Nullable Throwable cause() {
    return cause;
  }
}
