// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An inspection that ran before the append took the partition lock. If the verdict still holds, the
 * append does not inspect the batch again.
 *
 * <p>Confined to the thread of the append.
 */
public interface EarlyInspection {
  /** An append without an early inspection. */
  EarlyInspection NONE = new EarlyInspection() {};

  /**
   * Receives the settings of the append.
   *
   * @param records Kafka's object for the records
   * @param policy the policy of the append
   * @param source the source codec that the caller passed
   * @param target the codec that the topic stores
   */
  default void beginAppend(Object records, Policy policy, Codec source, Codec target) {}

  /**
   * Returns the buffer of accepted records, so that the append needs no other buffer object.
   * Returns it at most once.
   *
   * @param records Kafka's object for the records
   * @return the buffer, or null if these records were not accepted
   */
  default @Nullable ByteBuffer takeBuffer(Object records) {
    return null;
  }

  /**
   * Returns the verdict if it holds for the batch. Returns it at most once, because a verdict must
   * not be used for a second batch.
   *
   * @param records Kafka's object for the records
   * @param batch the batch, from position to limit
   * @param policy the policy of the append
   * @param source the source codec that the caller passed
   * @param nowMs the time of the append
   * @return the verdict that accepts the batch, or null if the append has to inspect it
   */
  default @Nullable MutableVerdict takeVerdict(
      Object records, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    return null;
  }

  /** Ends the append, whether it succeeded or threw. */
  default void endAppend() {}
}
