// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A listener that receives each batch once, with its final verdict. It runs once per batch, never
 * per record.
 *
 * <p>The thread that inspects a batch calls the listener. A listener that several threads share
 * must be safe for use by multiple threads, as those of this package are. An exception of the
 * listener propagates to the caller of the inspection.
 */
@FunctionalInterface
public interface ValidationListener {
  /**
   * Receives a batch.
   *
   * @param verdict the verdict, accepted or refused, with its {@linkplain Verdict#findings()
   *     findings}; belongs to the caller and changes after the call
   * @param where the destination of the batch, such as a topic partition, for texts only; null if
   *     the caller does not know it
   */
  void judged(Verdict verdict, @Nullable Object where);

  /**
   * {@return a listener that writes an event {@code io.github.batchvalidator.RefusedBatch} for each
   * refused batch while the JDK's flight recorder records such events}
   *
   * <p>Otherwise a refused batch costs the check of a flag, and nothing is allocated. At most 100
   * events are written per second, so that a flood of refused batches does not become a flood of
   * events. The next event carries the number of events that were suppressed before it. An event
   * that cannot be written is dropped. Safe for use by multiple threads.
   *
   * <p>The module {@code jdk.jfr} is optional. No event is ever written if the runtime lacks the
   * module, or if a host on the module path does not resolve it with {@code --add-modules jdk.jfr}.
   */
  static ValidationListener flightRecorder() {
    return new FlightRecorderEvents();
  }

  /**
   * {@return a listener that notifies this listener and then another one}
   *
   * @param next the other listener
   */
  default ValidationListener and(ValidationListener next) {
    return new BothListeners(this, next);
  }
}
