// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;
import io.github.batchvalidator.internal.inspect.InspectionEngine;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The engine for the batches of an append. Unlike {@link io.github.batchvalidator.BatchValidator}
 * and {@link io.github.batchvalidator.BatchRebuilder}, it takes the source codec that callers of
 * Kafka's validator pass, and can read ahead exactly as far as Kafka.
 *
 * <p>Never allocates for an accepted batch that is not rebuilt. The part that rebuilds is created
 * on first use. Confined to one thread.
 */
public final class BatchEngine implements AutoCloseable {
  private final @Nullable GzipInflater gzip; // null to read in Kafka's order
  private final InspectionEngine inspector;
  private @Nullable RebuildEngine rebuilder;
  private boolean closed;

  private BatchEngine(@Nullable GzipInflater gzip) {
    this.gzip = gzip;
    inspector = new InspectionEngine(decoders());
  }

  private Decoders decoders() {
    return gzip == null ? new KafkaDecoders() : WindowDecoders.fastest(gzip);
  }

  /**
   * {@return an engine with the fastest decoder for each codec}
   *
   * @param gzip the inflater for gzip
   */
  public static BatchEngine fastest(GzipInflater gzip) {
    return new BatchEngine(gzip);
  }

  /**
   * {@return an engine that finds faults in Kafka's order} If both a compressed stream and its
   * records have faults, the verdict is on the fault that Kafka meets first. Slower, and allocates
   * for each batch.
   */
  public static BatchEngine inKafkaOrder() {
    return new BatchEngine(null);
  }

  /**
   * Inspects the batch at the buffer's position.
   *
   * @param buffer nothing of it is changed
   * @param policy the rules for the batch
   * @param sourceCodec the codec that the caller passes; null for that of the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspect(
      ByteBuffer buffer,
      Policy policy,
      @Nullable Codec sourceCodec,
      long nowMs,
      MutableVerdict verdict) {
    return inspector.inspect(buffer, policy, sourceCodec, nowMs, verdict);
  }

  /**
   * Inspects a batch whose framing is known, for a caller that has decided whether the batch has to
   * be alone. The verdict keeps no copy of the header, so only {@link
   * io.github.batchvalidator.verdict.HeaderStamp#writeKnown} can stamp the batch.
   *
   * @param batch the bytes of the batch between position and limit; nothing of them is changed
   * @param policy the rules for the batch
   * @param sourceCodec the codec that the caller passes; null for that of the batch
   * @param sequential true if the batch may stay in place only with the offsets 0, 1, 2, ...; if
   *     source or target is compressed, the engine knows
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspectFramed(
      ByteBuffer batch,
      Policy policy,
      @Nullable Codec sourceCodec,
      boolean sequential,
      long nowMs,
      MutableVerdict verdict) {
    return inspector.inspectFramed(batch, policy, sourceCodec, sequential, nowMs, verdict);
  }

  /**
   * Checks a batch as {@link #rebuild} does, and writes nothing. It is for a compressed batch that
   * the caller declares uncompressed.
   *
   * @param batch the batch and nothing else, from position to limit; nothing of it is changed
   * @param policy the rules for the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean check(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict verdict) {
    return rebuilder().check(batch, policy, nowMs, verdict);
  }

  /**
   * Rebuilds the batches of an append. The methods below have the result.
   *
   * @param framed the batches; nothing of their bytes is changed. The engine moves the iterator
   * @param policy the rules for the batches, and the form to write
   * @param sourceCodec the codec that the caller passes; null for the last codec of the batches
   * @param firstOffset the log end offset, which is the offset of the first record
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled. For several messages, it describes the last one read
   * @return true if there is a rebuilt batch
   */
  public boolean rebuild(
      BatchIterator framed,
      Policy policy,
      @Nullable Codec sourceCodec,
      long firstOffset,
      long nowMs,
      MutableVerdict verdict) {
    return rebuilder().rebuild(framed, policy, sourceCodec, firstOffset, nowMs, verdict);
  }

  /**
   * {@return the rebuilt batch, between position 0 and limit} In memory of the engine, valid until
   * its next call.
   */
  public ByteBuffer rebuiltBatch() {
    return rebuilder().batch();
  }

  /** {@return how many records the rebuild wrote} */
  public int rebuiltRecords() {
    return rebuilder().recordCount();
  }

  /** {@return the maximum timestamp that an append of the rebuilt batch reports} */
  public long rebuiltMaxTimestamp() {
    return rebuilder().maxTimestamp();
  }

  /** {@return how many offsets Kafka would have taken in the rebuild, also after a refusal} */
  public int offsetsTaken() {
    return rebuilder().offsetsTaken();
  }

  /**
   * {@return the {@code temporaryMemoryBytes} that Kafka would report for the rebuild}
   *
   * @param verdict of the rebuild
   */
  public int temporaryMemoryBytes(MutableVerdict verdict) {
    return rebuilder().temporaryMemoryBytes(verdict);
  }

  /** {@return the heap bytes that are held between batches} */
  public long heapBytes() {
    return inspector.heapBytes() + (rebuilder == null ? 0 : rebuilder.heapBytes());
  }

  private RebuildEngine rebuilder() {
    if (rebuilder == null) {
      rebuilder = new RebuildEngine(decoders());
      if (closed) {
        rebuilder.close(); // so that it says so
      }
    }
    return rebuilder;
  }

  /** Frees the codec contexts and buffers. Closing twice is harmless. */
  @Override
  public void close() {
    closed = true;
    inspector.close();
    if (rebuilder != null) {
      rebuilder.close();
    }
  }
}
