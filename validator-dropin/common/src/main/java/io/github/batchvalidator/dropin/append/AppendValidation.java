// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.refusal.ClientText;
import io.github.batchvalidator.rule.Policy;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

/**
 * One append, with the entry methods of Kafka's {@code LogValidator}. The subclass of each Kafka
 * line supplies the types that moved between lines.
 *
 * <p>One instance per append, confined to one thread. Allocates nothing itself: the state of the
 * append is kept in a {@link PooledValidator}.
 *
 * @param <R> the line's {@code ValidationResult}
 */
public abstract class AppendValidation<R> extends AppendParameters {
  /**
   * Stores the parameters of the append.
   *
   * @param partition the partition, named in error messages
   * @param time the broker's clock
   * @param policy a policy of {@link AppendRuntime#policies}
   * @param sourceId the id of the source codec that the caller passed
   * @param targetId the id of the codec that the topic stores
   * @param partitionLeaderEpoch the leader epoch to write into the batches
   */
  protected AppendValidation(
      TopicPartition partition,
      Time time,
      Policy policy,
      int sourceId,
      int targetId,
      int partitionLeaderEpoch) {
    super(partition, time, policy, sourceId, targetId, partitionLeaderEpoch);
  }

  /** {@return what all appends of the broker share} */
  protected abstract AppendRuntime runtime();

  /** {@return the exception for zstd in a cluster whose protocol version is older than zstd} */
  protected static RuntimeException zstdTooNew() {
    return new UnsupportedCompressionTypeException(ClientText.ZSTD_TOO_NEW);
  }

  /**
   * Creates the line's result.
   *
   * @param outcome the values of the result, valid during this call only
   * @return the result
   */
  protected abstract R result(AppendOutcome outcome);

  /**
   * Does the work of {@code validateMessagesAndAssignOffsets}.
   *
   * @param metrics the broker's meters for faults
   * @return the result
   */
  protected final R validate(MetricsRecorder metrics) {
    EarlyInspection early = runtime().earlyInspection();
    early.beginAppend(records(), policy(), source(), target());
    try {
      ByteBuffer inspected = early.takeBuffer(records());
      ByteBuffer buffer = inspected == null ? buffer() : inspected;
      ValidatorPool pool = runtime().validators();
      PooledValidator validator = pool.acquire();
      try {
        validator.begin(this, buffer, metrics, early);
        validator.validate();
        return result(validator.outcome());
      } finally {
        pool.release(validator);
      }
    } finally {
      early.endAppend();
    }
  }

  /**
   * Does the work of {@code assignOffsetsNonCompressed}.
   *
   * @param metrics the broker's meters for faults
   * @return the result
   */
  protected final R assignNonCompressed(MetricsRecorder metrics) {
    ValidatorPool pool = runtime().validators();
    PooledValidator validator = pool.acquire();
    try {
      validator.begin(this, buffer(), metrics, runtime().earlyInspection());
      validator.assignNonCompressed();
      return result(validator.outcome());
    } finally {
      pool.release(validator);
    }
  }

  /**
   * Does the work of {@code validateMessagesAndAssignOffsetsCompressed}.
   *
   * @param metrics the broker's meters for faults
   * @return the result
   */
  protected final R validateCompressed(MetricsRecorder metrics) {
    ValidatorPool pool = runtime().validators();
    PooledValidator validator = pool.acquire();
    try {
      validator.begin(this, buffer(), metrics, runtime().earlyInspection());
      validator.validateCompressed();
      return result(validator.outcome());
    } finally {
      pool.release(validator);
    }
  }
}
