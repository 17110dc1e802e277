// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

/**
 * A validator for one append, with the public methods of Kafka's {@code LogValidator}. The type
 * parameters are the types that moved between Kafka lines. Confined to one thread.
 *
 * @param <R> the line's {@code ValidationResult}
 * @param <C> the line's {@code LongRef}
 * @param <M> the line's {@code MetricsRecorder}
 * @param <B> the line's {@code BufferSupplier}
 */
public interface LineValidator<R, C, M, B> {
  /**
   * Validates the records and assigns their offsets, in place if possible.
   *
   * @param offsetCounter the offset of the next record, updated by the call
   * @param metricsRecorder the broker's meters for faults
   * @param bufferSupplier used by Kafka's own validator only
   * @return the result
   */
  R validateMessagesAndAssignOffsets(C offsetCounter, M metricsRecorder, B bufferSupplier);

  /**
   * Validates records that are uncompressed and that the topic stores uncompressed, and assigns
   * their offsets.
   *
   * @param offsetCounter the offset of the next record, updated by the call
   * @param metricsRecorder the broker's meters for faults
   * @return the result
   */
  R assignOffsetsNonCompressed(C offsetCounter, M metricsRecorder);

  /**
   * Validates records that are compressed or that the topic stores compressed, and assigns their
   * offsets.
   *
   * @param offsetCounter the offset of the next record, updated by the call
   * @param metricsRecorder the broker's meters for faults
   * @param bufferSupplier used by Kafka's own validator only
   * @return the result
   */
  R validateMessagesAndAssignOffsetsCompressed(
      C offsetCounter, M metricsRecorder, B bufferSupplier);
}
