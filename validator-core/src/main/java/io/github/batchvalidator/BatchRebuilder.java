// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A rebuilder for batches that cannot be stored in place: it validates them and writes their
 * records into a new batch, with the codec, magic and offsets that the topic stores.
 *
 * <p>{@link BatchValidator} shows the call in its place. A rebuild checks every rule of level
 * {@code KAFKA}, so a host at that level may skip the inspection of batches that it knows it has to
 * rebuild.
 *
 * <p>A rebuild is one pass: each record is read, checked and written before the next one is read.
 * Batches are read twice only if neither source nor target is compressed, because Kafka reads all
 * records before it checks the first.
 *
 * <p>Failures: every fault of the source is a {@link io.github.batchvalidator.rule.Reason} in the
 * verdict, never an exception. An {@link OutOfMemoryError} is thrown only if the heap has no room
 * for one block. The source's bytes, position, limit, mark and order stay as they are.
 *
 * <p>Allocation: none per batch once warm, except for results above 128 KiB, for header keys that
 * are not UTF-8, and for the codecs listed in {@code docs/how-it-works.md}. Memory depends on
 * codecs, on {@link io.github.batchvalidator.rule.Limits} and on the size of the result, not on the
 * number of records.
 *
 * <p>Not thread-safe: use one instance per thread. Only {@link #close()} may be called by another
 * thread. An instance holds contexts and buffers until then.
 */
public final class BatchRebuilder implements AutoCloseable {
  private final RebuildEngine engine;
  private long firstOffset;

  /** Creates a rebuilder with the fastest window and inflater for each batch. */
  public BatchRebuilder() {
    this(GzipInflater.AUTO);
  }

  /**
   * Creates a rebuilder with the fastest window for each codec.
   *
   * @param gzip the inflater for gzip; see {@link GzipInflater} for what may differ
   */
  public BatchRebuilder(GzipInflater gzip) {
    engine = new RebuildEngine(WindowDecoders.fastest(gzip));
  }

  /**
   * Sets the offset of the first record, for the next rebuild only. Without this call it is 0. Only
   * a rebuild to compressed messages of magic 0 needs the log end offset, because {@link
   * OffsetStamp#assign} cannot replace the offsets that they contain.
   *
   * @param value the log end offset
   * @return this rebuilder
   */
  public BatchRebuilder firstOffset(long value) {
    firstOffset = value;
    return this;
  }

  /**
   * Rebuilds the batches between the buffer's position and limit: one batch of magic 2, one
   * compressed message, or any number of uncompressed messages. An incomplete batch at the end is
   * ignored, as in Kafka.
   *
   * @param source heap or direct, sliced or read-only; nothing of it is changed
   * @param policy the rules for the batches, and the {@link Policy#target()} to write
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled: it describes the source, and {@link OffsetStamp#assign}
   *     accepts it for the rebuilt batch
   * @return true if there is a rebuilt batch
   * @throws IllegalStateException if the rebuilder is closed
   * @throws IllegalArgumentException if the verdict is not from {@link BatchValidator#newVerdict()}
   */
  public boolean rebuild(ByteBuffer source, Policy policy, long nowMs, Verdict verdict) {
    long first = firstOffset;
    firstOffset = 0;
    return engine.rebuild(source, policy, first, nowMs, verdict);
  }

  /**
   * Returns the rebuilt batch, between position 0 and limit, in big-endian order. It has no bytes
   * if the source has no records.
   *
   * @return memory of the rebuilder, valid until its next call
   * @throws IllegalStateException if the last call did not rebuild
   */
  public ByteBuffer batch() {
    return engine.batch();
  }

  /**
   * {@return the {@code temporaryMemoryBytes} that Kafka reports for the rebuild: plain bytes read
   * and written}
   *
   * @param verdict of the rebuild
   */
  public int temporaryMemoryBytes(Verdict verdict) {
    return engine.temporaryMemoryBytes(verdict);
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

  /** {@return the off-heap bytes held between batches, as far as known} */
  public long nativeBytes() {
    return engine.nativeBytes();
  }

  /**
   * Frees the codec contexts, their buffers and the memory of {@link #batch}. The rebuilder cannot
   * be used afterwards. Closing twice is harmless.
   *
   * <p>Any thread may close the rebuilder. If another thread is rebuilding a batch, this method
   * waits until that call has ended.
   */
  @Override
  public void close() {
    engine.close();
  }
}
