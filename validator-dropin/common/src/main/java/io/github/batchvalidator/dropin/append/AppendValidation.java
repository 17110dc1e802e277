// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.refusal.ClientText;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.utils.Time;

/**
 * One append, with the entry methods of Kafka's {@code LogValidator}. The subclass of each Kafka
 * line supplies the types that moved between lines. Only this class calls the subclass; what does
 * the work is below and calls nothing above itself, except the meters for a refusal.
 *
 * <p>One instance per append, confined to one thread. Allocates nothing itself: the state of the
 * append is kept in a pooled {@link AppendContext}.
 *
 * <p>The engine is called through few levels. The JIT inlines 15, and where it stops among the
 * smallest methods, an append of one record takes longer.
 *
 * @param <R> the line's {@code ValidationResult}
 */
public abstract class AppendValidation<R> extends AppendParameters {
  /** The methods of {@code LogValidator}. */
  private enum Entry {
    VALIDATE,
    NON_COMPRESSED,
    COMPRESSED
  }

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

  /** {@return a new buffer object around the records, from position to limit} */
  protected abstract ByteBuffer buffer();

  /** {@return the codec and level that the topic stores} */
  protected abstract Compression targetCompression();

  /** {@return false if the topic stores zstd and the cluster speaks a version before zstd} */
  protected abstract boolean clusterReadsTarget();

  /** {@return the value of the caller's offset counter: the offset of the next record} */
  protected abstract long nextOffset();

  /**
   * Sets the caller's offset counter, whether the append succeeds or throws.
   *
   * @param offset the offset of the next record
   */
  protected abstract void nextOffset(long offset);

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
   * @param runtime what all appends of the broker share
   * @param records Kafka's object for the records
   * @return the result
   */
  protected final R validate(AppendRuntime runtime, Object records) {
    EarlyInspection early = runtime.earlyInspection();
    early.beginAppend(records, policy(), source(), target());
    try {
      ByteBuffer inspected = early.takeBuffer(records);
      ByteBuffer buffer = inspected == null ? buffer() : inspected;
      return run(Entry.VALIDATE, runtime, early, records, buffer);
    } finally {
      early.endAppend();
    }
  }

  /**
   * Does the work of {@code assignOffsetsNonCompressed}.
   *
   * @param runtime what all appends of the broker share
   * @param records Kafka's object for the records
   * @return the result
   */
  protected final R assignNonCompressed(AppendRuntime runtime, Object records) {
    return run(Entry.NON_COMPRESSED, runtime, runtime.earlyInspection(), records, buffer());
  }

  /**
   * Does the work of {@code validateMessagesAndAssignOffsetsCompressed}.
   *
   * @param runtime what all appends of the broker share
   * @param records Kafka's object for the records
   * @return the result
   */
  protected final R validateCompressed(AppendRuntime runtime, Object records) {
    return run(Entry.COMPRESSED, runtime, runtime.earlyInspection(), records, buffer());
  }

  private R run(
      Entry entry,
      AppendRuntime runtime,
      EarlyInspection early,
      Object records,
      ByteBuffer buffer) {
    ValidatorPool pool = runtime.validators();
    AppendContext append = pool.acquire();
    try {
      append.begin(this, records, buffer, nextOffset(), early);
      try {
        if (isCompressed(entry)) {
          requireReadableTarget();
          CompressedAppend.run(append, targetCompression());
        } else if (entry == Entry.NON_COMPRESSED || append.allHaveTargetMagic()) {
          InPlaceAppend.run(append);
        } else {
          RebuildingAppend.run(append, targetCompression());
        }
      } finally {
        nextOffset(append.nextOffset());
      }
      return result(append.outcome());
    } finally {
      pool.release(append);
    }
  }

  private boolean isCompressed(Entry entry) {
    return entry == Entry.VALIDATE
        ? source() != Codec.NONE || target() != Codec.NONE
        : entry == Entry.COMPRESSED;
  }

  private void requireReadableTarget() {
    if (!clusterReadsTarget()) {
      throw new UnsupportedCompressionTypeException(ClientText.ZSTD_TOO_NEW);
    }
  }
}
