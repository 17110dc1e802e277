// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.internal.inspect.InspectionEngine;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.jspecify.annotations.Nullable;

/**
 * What an append works with: contexts of codecs and scratch memory, too dear to make per append.
 *
 * <p>The border of our own code: whatever goes wrong behind it, a Kafka exception comes out, and
 * the worker is broken, because what it left behind is unknown. Confined to one thread at a time.
 */
final class Worker implements AutoCloseable {
  /**
   * Honest batches need less. What a giant one took would lie in a worker until it has met many
   * small ones, and for ever in one that nobody asks for again.
   */
  private static final long MOST_HELD_BYTES = 16 << 20;

  /** Over accepted batches up to these sizes a worker does not grow beyond that. */
  private static final int SMALL_BATCH_BYTES = 1 << 16;

  private static final int SMALL_PLAIN_BYTES = 1 << 20;

  private static final String OWN_FAULT = "Batch Validator failed, which is a fault of its own";

  private final int slot;
  private final int recordErrors;
  private final GzipInflater gzip;
  private final InspectionEngine validator;
  private final MutableVerdict firstLook;
  private final BatchIterator batches = new BatchIterator();
  private final Targets targets = new Targets();
  private @Nullable RebuildEngine rebuilder;
  private @Nullable SecondLook secondLook;
  private MutableVerdict verdict;
  private @Nullable MutableVerdict strictLook;
  private @Nullable Policy storedBy;
  private @Nullable Policy storing;
  private boolean perhapsGrown;
  private boolean broken;

  /**
   * Creates a worker.
   *
   * @param recordErrors how many failing records it remembers
   * @param gzip what inflates gzip
   * @param slot its place in the pool
   */
  Worker(int recordErrors, GzipInflater gzip, int slot) {
    this.slot = slot;
    this.recordErrors = recordErrors;
    this.gzip = gzip;
    validator = new InspectionEngine(WindowDecoders.fastest(gzip));
    firstLook = new MutableVerdict(recordErrors);
    verdict = firstLook;
  }

  /** {@return its place in the pool} */
  int slot() {
    return slot;
  }

  /** {@return what the last call found} */
  MutableVerdict verdict() {
    return verdict;
  }

  BatchIterator batches() {
    return batches;
  }

  /** {@return true if it must not be used again} */
  boolean broken() {
    return broken;
  }

  /**
   * {@return true if it has grown so much since the last call that it is better closed than kept}
   */
  boolean holdsTooMuch() {
    boolean look = perhapsGrown;
    perhapsGrown = false;
    return look && heapBytes() > MOST_HELD_BYTES;
  }

  private long heapBytes() {
    long bytes = validator.heapBytes() + firstLook.heapBytes();
    if (rebuilder != null) {
      bytes += rebuilder.heapBytes();
    }
    if (secondLook != null) {
      bytes += secondLook.heapBytes();
    }
    return bytes;
  }

  /**
   * {@return true if the batch is accepted}
   *
   * @param sourceCodec the source codec that the caller passed
   */
  boolean inspect(ByteBuffer batch, Policy policy, Codec sourceCodec, long nowMs) {
    try {
      verdict = firstLook;
      boolean accepted = validator.inspect(batch, policy, sourceCodec, nowMs, verdict);
      perhapsGrown |=
          !accepted
              || batch.remaining() > SMALL_BATCH_BYTES
              || verdict.plainBytes() > SMALL_PLAIN_BYTES;
      if (accepted) {
        return true;
      }
      if (SecondLook.isWorthIt(verdict)) {
        verdict = secondLook().inspect(batch, policy, sourceCodec, nowMs, verdict);
      }
      return false;
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /**
   * Inspects for an append that is yet to come. What is refused is inspected again then, so nobody
   * takes a second look at it here.
   *
   * @return true if the batch is accepted
   * @param found is filled
   */
  boolean inspectAhead(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict found) {
    try {
      perhapsGrown = true;
      return validator.inspect(batch, policy, nowMs, found);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /** Takes over what was found ahead, as if {@link #inspect} had accepted the batch. */
  void adopt(MutableVerdict found) {
    verdict = found;
  }

  /**
   * Looks for what level STRICT refuses in a batch that a rebuild took: the rebuild puts right, or
   * drops, most of what there is to find. Whoever only observes is not refused what cannot be
   * looked at twice: there is no memory for it, say.
   *
   * @return what was found, and what level KAFKA says of the batch as it is
   */
  MutableVerdict lookStrictly(ByteBuffer batch, Policy policy, Codec sourceCodec, long nowMs) {
    MutableVerdict found = strictLook;
    if (found == null) {
      found = new MutableVerdict(0);
      strictLook = found;
    }
    try {
      validator.inspect(batch, policy, sourceCodec, nowMs, found);
    } catch (RuntimeException | Error e) {
      KafkaException why = failure(e);
      if (policy.level() == Level.STRICT) {
        throw why;
      }
      found.reset();
    }
    return found;
  }

  /**
   * Returns the policy for a topic that stores another codec than the received one.
   *
   * @param policy of the append
   * @param compression what the topic stores
   * @param codec its type
   */
  Policy storing(Policy policy, Compression compression, Codec codec) {
    Target target = targets.get(compression, codec, policy.target());
    Policy known = storing;
    if (known == null || !policy.equals(storedBy) || !known.target().equals(target)) {
      known = policy.toBuilder().target(target).build();
      storedBy = policy;
      storing = known;
    }
    return known;
  }

  /** {@return the offset behind the batch, which the last call accepted} */
  long stamp(ByteBuffer batch, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    try {
      return OffsetStamp.assign(batch, verdict, firstOffset, partitionLeaderEpoch, nowMs);
    } catch (ReadOnlyBufferException e) {
      throw new KafkaException("The records lie in a read-only buffer", e);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /** Refuses what is no single batch, or not of the magic of the one before it. */
  void refuse(Reason why, long first, long second) {
    verdict = firstLook;
    verdict.reset();
    verdict.refuse(why, 0, first, second);
  }

  /** {@return true if there is a rebuilt batch} */
  boolean rebuild(
      ByteBuffer source, Policy policy, Codec sourceCodec, long firstOffset, long nowMs) {
    try {
      perhapsGrown = true;
      verdict = firstLook;
      if (rebuilder()
          .sourceCodec(sourceCodec)
          .rebuild(source, policy, firstOffset, nowMs, verdict)) {
        return true;
      }
      if (SecondLook.isWorthIt(verdict)) {
        verdict = secondLook().rebuild(source, policy, sourceCodec, nowMs, verdict);
      }
      return false;
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /** {@return true if a batch that is compressed, and called uncompressed, is accepted} */
  boolean check(ByteBuffer batch, Policy policy, long nowMs) {
    try {
      perhapsGrown = true;
      verdict = firstLook;
      if (rebuilder().check(batch, policy, nowMs, verdict)) {
        return true;
      }
      if (SecondLook.isWorthIt(verdict)) {
        verdict = secondLook().check(batch, policy, nowMs, verdict);
      }
      return false;
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  /** {@return the rebuilder, after a call of {@link #rebuild}} */
  RebuildEngine rebuilt() {
    return Objects.requireNonNull(rebuilder);
  }

  private RebuildEngine rebuilder() {
    if (rebuilder == null) {
      rebuilder = new RebuildEngine(WindowDecoders.fastest(gzip));
    }
    return rebuilder;
  }

  /** {@return the rebuilt batch, in memory of its own; null if it is refused: there is none} */
  @Nullable ByteBuffer rebuiltBatch() {
    try {
      ByteBuffer batch = rebuilt().batch();
      return copy(batch);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  private @Nullable ByteBuffer copy(ByteBuffer batch) {
    try {
      return ByteBuffer.allocate(batch.remaining()).put(batch).flip();
    } catch (OutOfMemoryError e) {
      verdict.refuse(Reason.LIMIT_REBUILT_BYTES, 0, batch.remaining(), 0);
      return null;
    }
  }

  private SecondLook secondLook() {
    if (secondLook == null) {
      secondLook = new SecondLook(recordErrors);
    }
    return secondLook;
  }

  private KafkaException failure(Throwable cause) {
    broken = true;
    if (cause instanceof VirtualMachineError) {
      return new InvalidRecordException("The batch takes more memory than there is: " + cause);
    }
    return new KafkaException(OWN_FAULT, cause);
  }

  /** {@return true if that is what is thrown instead of a verdict, for a fault of ours} */
  static boolean isOwnFault(@Nullable Throwable thrown) {
    return thrown instanceof KafkaException && OWN_FAULT.equals(thrown.getMessage());
  }

  @Override
  public void close() {
    validator.close();
    if (rebuilder != null) {
      rebuilder.close();
    }
    if (secondLook != null) {
      secondLook.close();
    }
  }
}
