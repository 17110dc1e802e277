// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.HeaderStamp;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The engines of the core, guarded: every unexpected exception becomes a Kafka exception. After one
 * the engines are broken, because their state is unknown.
 *
 * <p>A refused batch is checked again in Kafka's order if necessary, see {@link KafkaOrderCheck}.
 * Confined to one thread at a time.
 */
public final class GuardedEngines implements AutoCloseable {
  /**
   * The most heap that idle engines keep. Usual batches need less. Without this limit, the memory
   * for one giant batch would be kept for many later batches, or forever.
   */
  private static final long MAX_HELD_BYTES = 16 << 20;

  /** Accepted batches up to these sizes do not let the engines grow beyond the limit. */
  private static final int SMALL_BATCH_BYTES = 1 << 16;

  private static final int SMALL_PLAIN_BYTES = 1 << 20;

  private final int recordErrors;
  private final BatchEngine engine;
  private final MutableVerdict ownVerdict;
  private @Nullable KafkaOrderCheck kafkaOrderCheck;
  private @Nullable MutableVerdict strictVerdict;
  private MutableVerdict verdict;
  private boolean mayHaveGrown;
  private boolean broken;

  /**
   * Creates engines.
   *
   * @param recordErrors the number of failing records that a verdict remembers
   * @param gzip the inflater for gzip
   */
  public GuardedEngines(int recordErrors, GzipInflater gzip) {
    this.recordErrors = recordErrors;
    engine = BatchEngine.fastest(gzip);
    ownVerdict = new MutableVerdict(recordErrors);
    verdict = ownVerdict;
  }

  /** {@return the verdict of the last call} */
  public MutableVerdict verdict() {
    return verdict;
  }

  /** {@return true if the engines must not be used again} */
  public boolean broken() {
    return broken;
  }

  /** {@return true if the engines grew beyond the limit since the last call of this method} */
  public boolean holdsTooMuch() {
    boolean check = mayHaveGrown;
    mayHaveGrown = false;
    return check && heapBytes() > MAX_HELD_BYTES;
  }

  private long heapBytes() {
    long bytes = engine.heapBytes() + ownVerdict.heapBytes();
    return kafkaOrderCheck == null ? bytes : bytes + kafkaOrderCheck.heapBytes();
  }

  /**
   * Inspects a batch whose framing is known.
   *
   * @param batch the batch, from position to limit
   * @param policy the rules for the batch
   * @param sourceCodec the source codec that the caller passed
   * @param sequential true if the batch may stay in place only with the offsets 0, 1, 2, ...
   * @param nowMs the time of the append
   * @return true if the batch is accepted
   */
  public boolean inspect(
      ByteBuffer batch, Policy policy, Codec sourceCodec, boolean sequential, long nowMs) {
    try {
      verdict = ownVerdict;
      boolean accepted =
          engine.inspectFramed(batch, policy, sourceCodec, sequential, nowMs, verdict);
      mayHaveGrown |=
          !accepted
              || batch.remaining() > SMALL_BATCH_BYTES
              || verdict.plainBytes() > SMALL_PLAIN_BYTES;
      if (!accepted && KafkaOrderCheck.isNeeded(verdict)) {
        verdict = kafkaOrderCheck().inspect(batch, policy, sourceCodec, sequential, nowMs, verdict);
      }
      return accepted;
    } catch (RuntimeException | Error e) {
      throwUnlessRefused(e, verdict);
      return false;
    }
  }

  /**
   * Inspects a batch for a later append. A refused batch is not checked in Kafka's order, because
   * the append inspects it again.
   *
   * @param batch the batch, from position to limit
   * @param policy the rules for the batch
   * @param nowMs the time to inspect for
   * @param found reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspectEarly(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict found) {
    try {
      mayHaveGrown = true;
      return engine.inspect(batch, policy, null, nowMs, found);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /**
   * Uses the verdict of an early inspection, as if {@link #inspect} had accepted the batch.
   *
   * @param found the verdict
   */
  public void adopt(MutableVerdict found) {
    verdict = found;
  }

  /**
   * Applies the rules of level {@code STRICT} to a batch that was rebuilt. The rebuild itself
   * repairs or drops most of what these rules find. At level {@code KAFKA}, a failure of this
   * inspection does not refuse the batch.
   *
   * @param batch the batch before the rebuild, from position to limit
   * @param policy the rules for the batch
   * @param sourceCodec the source codec that the caller passed
   * @param nowMs the time of the append
   * @return the verdict on the batch before the rebuild
   */
  public MutableVerdict inspectStrictly(
      ByteBuffer batch, Policy policy, Codec sourceCodec, long nowMs) {
    MutableVerdict found = strictVerdict;
    if (found == null) {
      found = new MutableVerdict(0);
      strictVerdict = found;
    }
    try {
      engine.inspect(batch, policy, sourceCodec, nowMs, found);
    } catch (RuntimeException | Error e) {
      broken = true;
      if (policy.level() == Level.STRICT) {
        throwUnlessRefused(e, found);
      } else {
        found.reset(policy);
      }
    }
    return found;
  }

  /**
   * Writes offsets, leader epoch and time into the batch that the last call accepted, or whose
   * verdict was adopted. The batch is not compared with the verdict.
   *
   * @param batch the batch, from position to limit
   * @param firstOffset the offset of its first record
   * @param partitionLeaderEpoch the leader epoch
   * @param nowMs the time of the append
   * @return the offset after the batch
   */
  public long stamp(ByteBuffer batch, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    try {
      return HeaderStamp.writeKnown(batch, verdict, firstOffset, partitionLeaderEpoch, nowMs);
    } catch (ReadOnlyBufferException e) {
      throw new KafkaException("The records lie in a read-only buffer", e);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /**
   * {@return an empty verdict, for faults that the append finds without an engine}
   *
   * @param policy the policy of the append
   */
  public MutableVerdict newVerdict(Policy policy) {
    verdict = ownVerdict;
    verdict.reset(policy);
    return verdict;
  }

  /**
   * Rebuilds the records of one append.
   *
   * @param framed the iterator over the records
   * @param policy the rules for the batch
   * @param sourceCodec the source codec that the caller passed
   * @param firstOffset the offset of the first record
   * @param nowMs the time of the append
   * @return true if there is a rebuilt batch
   */
  public boolean rebuild(
      BatchIterator framed, Policy policy, Codec sourceCodec, long firstOffset, long nowMs) {
    try {
      mayHaveGrown = true;
      verdict = ownVerdict;
      boolean accepted = engine.rebuild(framed, policy, sourceCodec, firstOffset, nowMs, verdict);
      if (!accepted && KafkaOrderCheck.isNeeded(verdict)) {
        verdict = kafkaOrderCheck().rebuild(framed, policy, sourceCodec, nowMs, verdict);
      }
      return accepted;
    } catch (RuntimeException | Error e) {
      throwUnlessRefused(e, verdict);
      return false;
    }
  }

  /**
   * Checks a compressed batch that the caller passed as uncompressed.
   *
   * @param batch the batch, from position to limit
   * @param policy the rules for the batch
   * @param nowMs the time of the append
   * @return true if the batch is accepted
   */
  public boolean check(ByteBuffer batch, Policy policy, long nowMs) {
    try {
      mayHaveGrown = true;
      verdict = ownVerdict;
      boolean accepted = engine.check(batch, policy, nowMs, verdict);
      if (!accepted && KafkaOrderCheck.isNeeded(verdict)) {
        verdict = kafkaOrderCheck().check(batch, policy, nowMs, verdict);
      }
      return accepted;
    } catch (RuntimeException | Error e) {
      throwUnlessRefused(e, verdict);
      return false;
    }
  }

  /** {@return the engine, for what is known of the last rebuild} */
  public BatchEngine engine() {
    return engine;
  }

  /** {@return a copy of the rebuilt batch; null if there is no memory for it, which refuses it} */
  public @Nullable ByteBuffer rebuiltBatch() {
    try {
      return copy(engine.rebuiltBatch());
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /** Copies an array from its start, which unlike a new buffer is not filled with zeros first. */
  @SuppressWarnings("ByteBufferBackingArray") // memory of the rebuilder, from position 0
  private @Nullable ByteBuffer copy(ByteBuffer batch) {
    try {
      return ByteBuffer.wrap(Arrays.copyOf(batch.array(), batch.limit()));
    } catch (OutOfMemoryError e) {
      verdict.refuse(Reason.LIMIT_REBUILT_BYTES, 0, batch.remaining(), 0);
      return null;
    }
  }

  private KafkaOrderCheck kafkaOrderCheck() {
    if (kafkaOrderCheck == null) {
      kafkaOrderCheck = new KafkaOrderCheck(recordErrors);
    }
    return kafkaOrderCheck;
  }

  /** Throws, unless the verdict says that the heap has no room for a block of the batch's codec. */
  private void throwUnlessRefused(Throwable cause, MutableVerdict found) {
    broken = true;
    Codec codec = found.codec();
    if (found.reason() != Reason.CODEC_OUT_OF_MEMORY || codec == null || codec == Codec.NONE) {
      throw OwnFault.of(cause);
    }
  }

  private KafkaException failure(Throwable cause) {
    broken = true;
    return OwnFault.of(cause);
  }

  @Override
  public void close() {
    engine.close();
    if (kafkaOrderCheck != null) {
      kafkaOrderCheck.close();
    }
  }
}
