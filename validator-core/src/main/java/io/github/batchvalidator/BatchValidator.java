// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.inspect.InspectionEngine;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A validator for record batches: the checks of Kafka's {@code LogValidator}, without allocation.
 *
 * <p>A host needs three calls per append. {@link #inspect} runs before the partition lock and only
 * reads the buffer. {@link BatchRebuilder#rebuild} writes a new batch when the topic stores another
 * codec, magic or offsets. {@link OffsetStamp#assign} runs inside the lock and writes the offsets:
 *
 * <pre>{@code
 * // once per thread, closed when the thread ends
 * BatchValidator validator = new BatchValidator();
 * BatchRebuilder rebuilder = new BatchRebuilder();
 * OffsetStamp stamp = new OffsetStamp();
 * Verdict verdict = BatchValidator.newVerdict();
 * // once per topic configuration
 * Policy policy = Policy.builder(Origin.CLIENT).target(Target.of(Codec.ZSTD)).build();
 *
 * // per append
 * boolean accepted = validator.inspect(received, policy, System.currentTimeMillis(), verdict);
 * ByteBuffer batch = received.slice(received.position(), verdict.batchBytes()); // what was read
 * if (accepted && verdict.needsRebuild()) {
 *   accepted = rebuilder.rebuild(received, policy, System.currentTimeMillis(), verdict);
 *   batch = accepted ? rebuilder.batch() : batch;
 * }
 * if (!accepted) {
 *   return reject(verdict.reason(), verdict.describe());
 * }
 * synchronized (log) {
 *   long nowMs = System.currentTimeMillis(); // in the lock, so that times do not decrease
 *   stamp.firstOffset(log.endOffset).leaderEpoch(leaderEpoch).nowMs(nowMs);
 *   log.endOffset = stamp.assign(batch, verdict);
 *   log.append(batch);
 * }
 * }</pre>
 *
 * <p>Failures: every fault of a batch is a {@link io.github.batchvalidator.rule.Reason} in the
 * verdict, never an exception. An {@link OutOfMemoryError} for a block of the payload is thrown,
 * and is also the verdict: {@link io.github.batchvalidator.rule.Reason#CODEC_OUT_OF_MEMORY}. The
 * buffer's bytes, position, limit, mark and order stay as they are.
 *
 * <p>Allocation: none per batch once every codec in use has been seen, whether the batch is
 * accepted or rejected. {@code docs/how-it-works.md} lists the exceptions.
 *
 * <p>Not thread-safe: use one instance per thread. Only {@link #close()} may be called by another
 * thread. An instance holds codec contexts and scratch memory until then. Their size depends on the
 * codecs and on the policy's limits, not on the number of partitions; see {@link #heapBytes()} and
 * {@link #nativeBytes()}.
 */
public final class BatchValidator implements AutoCloseable {
  private final InspectionEngine engine;
  private @Nullable ValidationListener listener;

  /** Creates a validator with the fastest window and inflater for each batch. */
  public BatchValidator() {
    this(GzipInflater.AUTO);
  }

  /**
   * Creates a validator with the fastest window for each codec.
   *
   * @param gzip the inflater for gzip; see {@link GzipInflater} for what may differ
   */
  public BatchValidator(GzipInflater gzip) {
    this(WindowDecoders.fastest(gzip));
  }

  BatchValidator(Decoders decoders) {
    engine = new InspectionEngine(decoders);
  }

  /**
   * Creates a validator whose windows are fixed skip buffers of 2 KB, for hosts with very many
   * threads.
   *
   * @return the validator; the caller closes it
   */
  public static BatchValidator lowMemory() {
    return new BatchValidator(WindowDecoders.lowMemory());
  }

  /** {@return a new verdict that remembers up to 16 failed records of a batch} */
  public static Verdict newVerdict() {
    return new MutableVerdict();
  }

  /**
   * Creates a verdict.
   *
   * @param recordFailures how many failed records of a batch the verdict remembers, at least 0;
   *     room for more than 16 is allocated when they are found
   * @return the verdict; it belongs to the caller
   */
  public static Verdict newVerdict(int recordFailures) {
    return new MutableVerdict(recordFailures);
  }

  /**
   * Sets a listener that receives the verdict of each inspection.
   *
   * <p>Hosts that inspect a batch twice, rebuild it, or know its partition should notify their own
   * listener instead.
   *
   * @param receiver the listener; null, the default, for none
   * @return this validator
   */
  public BatchValidator listener(@Nullable ValidationListener receiver) {
    listener = receiver;
    return this;
  }

  /**
   * Inspects the batch at the buffer's position.
   *
   * <p>An append must consist of one batch: a second complete batch is refused, an incomplete one
   * is ignored, as in Kafka. Origin {@code STORED} and uncompressed messages of magic 0 and 1 may
   * be followed by others. <b>The verdict then covers the first batch only.</b> Store its {@link
   * Verdict#batchBytes()} bytes, which is all that {@link OffsetStamp#assign} accepts, and inspect
   * the next batch after them.
   *
   * @param buffer heap or direct, sliced or read-only; nothing of it is changed
   * @param policy the rules for the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled; valid until the next call that gets it
   * @return true if the batch is accepted; see {@link Verdict#needsRebuild()} for whether it can be
   *     stored as it is
   * @throws IllegalStateException if the validator is closed, also if that happens during the call
   * @throws IllegalArgumentException if the verdict is not from {@link #newVerdict()}
   */
  public boolean inspect(ByteBuffer buffer, Policy policy, long nowMs, Verdict verdict) {
    Objects.requireNonNull(policy, "policy");
    boolean accepted = engine.inspect(buffer, policy, nowMs, MutableVerdict.of(verdict));
    if (listener != null) {
      listener.judged(verdict, null);
    }
    return accepted;
  }

  /**
   * Returns why a codec is unavailable.
   *
   * @param codec the codec
   * @return the exception or error of its library; null if the codec is available, was not needed
   *     yet, or only lacked memory, in which case the next batch tries again
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return engine.unavailableCause(codec);
  }

  /** {@return the heap bytes held between batches for buffers and scratch memory} */
  public long heapBytes() {
    return engine.heapBytes();
  }

  /**
   * {@return the off-heap bytes held between batches: direct buffers exactly, memory of codec
   * libraries as an estimate from their formats}
   */
  public long nativeBytes() {
    return engine.nativeBytes();
  }

  /**
   * Frees the codec contexts. The validator cannot be used afterwards. Closing twice is harmless.
   *
   * <p>Any thread may close the validator. If another thread is inspecting a compressed batch, this
   * method waits until the inspection has ended with its verdict.
   */
  @Override
  public void close() {
    engine.close();
  }
}
