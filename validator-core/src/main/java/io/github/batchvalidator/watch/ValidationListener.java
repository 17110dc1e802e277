// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Is told of each batch, once, when its verdict stands. Never called between the records of a
 * batch, so that it may cost what a batch may cost.
 *
 * <p>Called by the thread that has the verdict. One that several threads share has to be safe for
 * that, as those of this package are. What it throws comes out of the call that told it.
 */
@FunctionalInterface
public interface ValidationListener {
  /**
   * Takes note of a batch.
   *
   * @param verdict accepted or refused, with its {@linkplain Verdict#findings() findings}; belongs
   *     to the caller and changes after the call
   * @param where what the host calls the place that the batch was sent to, such as a topic and
   *     partition, for texts only; null if the caller does not know it
   */
  void judged(Verdict verdict, @Nullable Object where);

  /**
   * {@return a listener that tells this one and then another one}
   *
   * @param next is told second
   */
  default ValidationListener and(ValidationListener next) {
    return new BothListeners(this, next);
  }
}
