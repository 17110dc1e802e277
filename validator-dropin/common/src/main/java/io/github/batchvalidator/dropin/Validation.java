// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

/**
 * The public methods of Kafka's {@code LogValidator}: one append, by a line's class or by the
 * {@linkplain Shadow shadow} over it. The type parameters moved between lines. Used by one thread.
 *
 * @param <R> the line's {@code ValidationResult}
 * @param <C> the line's {@code LongRef}
 * @param <B> the line's {@code BufferSupplier}
 */
public interface Validation<R, C, B> {
  /**
   * Checks the records and gives them their offsets, in place if possible.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier of Kafka's; ours does not use it
   * @return the result
   */
  R validateMessagesAndAssignOffsets(
      C offsetCounter, MetricsRecorder metricsRecorder, B bufferSupplier);

  /**
   * Does so for records that are not compressed and stay so.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @return the result
   */
  R assignOffsetsNonCompressed(C offsetCounter, MetricsRecorder metricsRecorder);

  /**
   * Does so for records that are compressed or are to be.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier of Kafka's; ours does not use it
   * @return the result
   */
  R validateMessagesAndAssignOffsetsCompressed(
      C offsetCounter, MetricsRecorder metricsRecorder, B bufferSupplier);
}
