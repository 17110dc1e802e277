// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.engine.Slots;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of validators, shared by all appends of a broker
 * (docs/decisions/006-pool-of-workers.md).
 *
 * <p>Each validator belongs to a slot and is created when the slot is first taken. The number of
 * validators therefore follows the largest number of concurrent appends, up to {@link #size()}.
 * Further appends wait for a validator: they would only compete for the same processors.
 *
 * <p>Safe for all threads, virtual threads too. A thread must not acquire a second validator.
 */
public final class ValidatorPool {
  /** Twice the default of {@code num.io.threads}. */
  private static final int MIN_SIZE = 16;

  private final int recordErrors;
  private final GzipInflater gzip;
  private final ValidationListener listener;
  private final Slots slots;

  /** Each element is read and written only by the thread that has taken the slot. */
  private final @Nullable AppendContext[] validators;

  /**
   * Creates an empty pool with two slots per processor, and at least 16.
   *
   * @param recordErrors the number of failing records that a validator remembers
   * @param gzip the inflater for gzip
   * @param listener notified of each verdict, with the partition
   */
  public ValidatorPool(int recordErrors, GzipInflater gzip, ValidationListener listener) {
    this(recordErrors, gzip, listener, Runtime.getRuntime().availableProcessors());
  }

  /** Has one home per processor, whose cache has room for the windows of one validator. */
  private ValidatorPool(
      int recordErrors, GzipInflater gzip, ValidationListener listener, int processors) {
    this(recordErrors, gzip, listener, processors, Math.max(2 * processors, MIN_SIZE));
  }

  ValidatorPool(
      int recordErrors, GzipInflater gzip, ValidationListener listener, int homes, int size) {
    this.recordErrors = recordErrors;
    this.gzip = gzip;
    this.listener = listener;
    slots = new Slots(homes, size);
    validators = new @Nullable AppendContext[size];
  }

  /** {@return a validator for this thread until it is released} Waits if all are in use. */
  AppendContext acquire() {
    int slot = slots.take();
    AppendContext validator = validators[slot];
    return validator != null ? validator : create(slot);
  }

  /** Creates the validator of a slot that this thread has taken. */
  private AppendContext create(int slot) {
    AppendContext validator = null;
    try {
      validator = new AppendContext(recordErrors, gzip, listener, slot);
      validators[slot] = validator;
      return validator;
    } finally {
      if (validator == null) {
        slots.free(slot);
      }
    }
  }

  /** Takes a validator back. Closes it if it is broken or holds too much memory. */
  void release(AppendContext validator) {
    int slot = validator.slot();
    try {
      validator.clear();
      if (validator.mustClose()) {
        validators[slot] = null;
        validator.close();
      }
    } finally {
      slots.free(slot);
    }
  }

  /**
   * Inspects a batch for a later append, with a validator that is free again when this method
   * returns.
   *
   * @param batch the batch, from position to limit
   * @param policy the rules for the batch
   * @param nowMs the time to inspect for
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspectEarly(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict verdict) {
    AppendContext validator = acquire();
    try {
      return validator.engines().inspectEarly(batch, policy, nowMs, verdict);
    } finally {
      release(validator);
    }
  }

  /** {@return the largest number of validators} */
  int size() {
    return validators.length;
  }

  /** {@return the number of validators that no thread uses right now} */
  public int idle() {
    int idle = 0;
    for (int slot = 0; slot < validators.length; slot++) {
      idle += slots.isFree(slot) && validators[slot] != null ? 1 : 0;
    }
    return idle;
  }
}
