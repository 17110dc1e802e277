// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Lease;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An engine that checks batches and writes their records into a new batch, as Kafka's {@code
 * LogValidator} does if it cannot store them in place: for another codec, another magic, or
 * messages with other offsets.
 *
 * <p>A rebuild is one pass: each record is read, checked and written before the next one is read. A
 * fault discards the written bytes. Records whose bytes would not change are copied. Batches are
 * read twice only if neither source nor target is compressed, because Kafka reads all records
 * before it checks the first.
 *
 * <p>Every fault of the source is a {@link Reason} in the verdict, never an exception. An {@link
 * OutOfMemoryError} is thrown only if the heap has no room for one block. The source's bytes,
 * position, limit, mark and order stay as they are. Memory depends on codecs, on {@link
 * io.github.batchvalidator.rule.Limits} and on the size of the result, not on the number of
 * records.
 *
 * <p>Allocates nothing once warm, except for:
 *
 * <ul>
 *   <li>headers that Kafka would write differently: keys that are not UTF-8, numbers that are not
 *       in the shortest form
 *   <li>results above 128 KiB
 *   <li>limits that change between calls, if neither side is compressed
 *   <li>codecs listed in {@code docs/how-it-works.md}
 * </ul>
 *
 * <p>One instance per thread, which holds contexts and buffers until {@link #close()}.
 */
public final class RebuildEngine implements AutoCloseable {
  private final PayloadReader reader;
  private final Encoders encoders = new Encoders();
  private final Checksums checksums = new Checksums();
  private final BatchIterator ownBatches = new BatchIterator();
  private final BatchWriter writer = new BatchWriter(encoders, checksums);
  private final RebuildCall call = new RebuildCall();
  private final SourceBatch batch;

  private int headerBytes;
  private boolean finishing;
  private boolean rebuilt;
  private final Lease lease = new Lease();

  /**
   * Creates an engine.
   *
   * @param decoders belong to the engine from now on
   */
  public RebuildEngine(Decoders decoders) {
    reader = new PayloadReader(decoders);
    batch = new SourceBatch(call, reader, checksums, writer);
  }

  /**
   * Rebuilds the batches between the buffer's position and limit: one batch of magic 2, one
   * compressed message, or any number of uncompressed messages. An incomplete batch at the end is
   * ignored, as in Kafka.
   *
   * @param source heap or direct, sliced or read-only; nothing of it is changed
   * @param policy the rules for the batches, and the form to write
   * @param firstOffset the log end offset, which is the offset of the first record
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled. For several messages, it describes the last one read. Its
   *     cause is that of a broker, by default {@link RebuildCause#OTHER_OFFSETS}
   * @return true if there is a rebuilt batch, see {@link #batch}
   * @throws IllegalStateException if the engine is closed
   */
  public boolean rebuild(
      ByteBuffer source, Policy policy, long firstOffset, long nowMs, Verdict verdict) {
    MutableVerdict filled = start(policy, verdict);
    try {
      return rebuildFramed(frame(source), policy, null, firstOffset, nowMs, filled);
    } finally {
      end();
    }
  }

  /**
   * Rebuilds batches whose framing is known, for a caller that passes a source codec, as callers of
   * Kafka's validator do. Kafka decides by that codec what it checks first.
   *
   * @param framed the batches; nothing of their bytes is changed. The engine moves the iterator
   * @param policy the rules for the batches, and the form to write
   * @param givenSourceCodec the codec that the caller passes; null for the last codec of the
   *     batches, which is the codec that a broker passes
   * @param firstOffset the log end offset, which is the offset of the first record
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict as in {@link #rebuild(ByteBuffer, Policy, long, long, Verdict)}
   * @return true if there is a rebuilt batch, see {@link #batch}
   * @throws IllegalStateException if the engine is closed
   */
  public boolean rebuild(
      BatchIterator framed,
      Policy policy,
      @Nullable Codec givenSourceCodec,
      long firstOffset,
      long nowMs,
      Verdict verdict) {
    MutableVerdict filled = start(policy, verdict);
    try {
      return rebuildFramed(framed, policy, givenSourceCodec, firstOffset, nowMs, filled);
    } finally {
      end();
    }
  }

  private boolean rebuildFramed(
      BatchIterator framed,
      Policy policy,
      @Nullable Codec givenSourceCodec,
      long firstOffset,
      long nowMs,
      MutableVerdict filled) {
    try {
      boolean isRebuilt = tryRebuild(framed, policy, givenSourceCodec, firstOffset, nowMs, filled);
      filled.conclude();
      if (isRebuilt) {
        filled.sealRebuilt(writer.written(), writer.magic(), writer.count(), writer.fixedOffset());
      }
      rebuilt = isRebuilt;
      return isRebuilt;
    } catch (RuntimeException | Error e) {
      FaultLocator.ofMemory(e, filled);
      throw e;
    }
  }

  private boolean tryRebuild(
      BatchIterator framed,
      Policy policy,
      @Nullable Codec givenSourceCodec,
      long firstOffset,
      long nowMs,
      MutableVerdict filled) {
    Codec sourceCodec = givenSourceCodec == null ? lastCodec(framed) : givenSourceCodec;
    writer.begin(policy, sourceCodec, firstOffset, nowMs);
    boolean readsAllFirst = writer.codec() == Codec.NONE && sourceCodec == Codec.NONE;
    call.begin(framed, policy, nowMs, filled, readsAllFirst);
    batch.begin();
    boolean isWritten =
        checkAsCaller()
            && (!call.readsAllFirst || readAll())
            && checkAlone(sourceCodec)
            && rebuildAll()
            && finish()
            && enforceTopic();
    if (isWritten) {
      filled.rebuilt(
          RebuildCause.of(sourceCodec, writer.codec(), filled.magic(), policy.target().magic()));
    }
    return isWritten;
  }

  /**
   * Checks a batch as {@link #rebuild} does, and writes nothing. It is for a compressed batch that
   * a caller of Kafka's validator declares uncompressed. Kafka then reads each record completely
   * before it checks the first one, and compares no offsets.
   *
   * @param source contains the batch and nothing else; nothing of it is changed
   * @param policy the rules for the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   * @throws IllegalStateException if the engine is closed
   */
  public boolean check(ByteBuffer source, Policy policy, long nowMs, Verdict verdict) {
    MutableVerdict filled = start(policy, verdict);
    boolean accepted;
    try {
      writer.beginNothing();
      call.begin(frame(source), policy, nowMs, filled, true);
      batch.begin();
      accepted = checkAsCaller() && rebuildAll() && enforceTopic();
      filled.conclude();
    } catch (RuntimeException | Error e) {
      FaultLocator.ofMemory(e, filled);
      throw e;
    } finally {
      end();
    }
    if (accepted) {
      filled.seal(source);
    }
    return accepted;
  }

  private BatchIterator frame(ByteBuffer source) {
    return ownBatches.wrap(source, source.position(), source.limit()).frame();
  }

  private MutableVerdict start(Policy policy, Verdict verdict) {
    Objects.requireNonNull(policy, "policy");
    MutableVerdict filled = MutableVerdict.of(verdict);
    if (!lease.take()) {
      throw new IllegalStateException("the rebuilder is closed, or in use by another thread");
    }
    filled.reset(policy);
    rebuilt = false;
    headerBytes = 0;
    finishing = false;
    return filled;
  }

  /** Drops the call, also after an exception. */
  private void end() {
    try {
      reader.release();
      batch.end();
      call.end();
      ownBatches.clear();
      writer.release();
    } finally {
      lease.give();
    }
  }

  /**
   * Returns the last codec other than none, as a broker passes it. An unknown id counts as zstd.
   */
  private static Codec lastCodec(BatchIterator batches) {
    Codec found = Codec.NONE;
    batches.rewind();
    while (batches.next()) {
      int id = BatchLayout.codecIdAt(batches.buffer(), batches.start());
      Codec codec = Codec.byId(id);
      if (id != Codec.NONE.id()) {
        found = codec == null ? Codec.ZSTD : codec;
      }
    }
    return found;
  }

  /** Makes the checks that a broker makes on all batches before it calls its validator. */
  private boolean checkAsCaller() {
    if (call.policy.checkedByHost()) {
      return true;
    }
    BatchIterator batches = call.batches.rewind();
    while (batches.next()) {
      call.verdict.batch(batches.sizeInBytes(), batches.magic());
      if (!batch.checkAsCaller(batches.start())) {
        return false;
      }
    }
    return FramingRules.checkEnd(batches, call.verdict);
  }

  /** Reads all records of all batches, and checks nothing else. */
  private boolean readAll() {
    BatchIterator batches = call.batches.rewind();
    while (batches.next()) {
      call.verdict.batch(batches.sizeInBytes(), batches.magic());
      if (!batch.read(batches.start(), batches.magic())) {
        return false;
      }
    }
    return FramingRules.checkEnd(batches, call.verdict);
  }

  private boolean checkAlone(Codec sourceCodec) {
    BatchIterator batches = call.batches.rewind();
    return FramingRules.checkFirst(batches, call.verdict)
        && ((batches.magic() != BatchLayout.MAGIC_V2 && sourceCodec == Codec.NONE)
            || FramingRules.batchNotAlone(batches, call.verdict));
  }

  private boolean rebuildAll() {
    BatchIterator batches = call.batches.rewind();
    while (batches.next()) {
      call.verdict.batch(batches.sizeInBytes(), batches.magic());
      if (!batch.rebuild(batches.start(), batches.magic())) {
        return false;
      }
      headerBytes += BatchLayout.headerBytes(writer.magic(), batch.codec() != Codec.NONE);
    }
    return FramingRules.checkEnd(batches, call.verdict);
  }

  private boolean finish() {
    finishing = true;
    return writer.finish() || batch.refuseUnwritable();
  }

  /**
   * Applies the rules of the topic to all batches of the call. They count only if Kafka accepts, so
   * they come last, but they refuse as checks before Kafka's builder do, which takes no offsets.
   */
  private boolean enforceTopic() {
    finishing = batch.enforceTopic();
    return finishing;
  }

  // ---- the result

  /**
   * Returns the rebuilt batch, between position 0 and limit, in big-endian order. Each call
   * restores position, limit and order. Without records there are no bytes.
   *
   * @return memory of the engine, valid until its next call
   * @throws IllegalStateException if the last call did not rebuild
   */
  public ByteBuffer batch() {
    if (!rebuilt) {
      throw new IllegalStateException("nothing was rebuilt");
    }
    return writer.written();
  }

  /** {@return how many records were written} */
  public int recordCount() {
    return writer.count();
  }

  /**
   * {@return the maximum timestamp that an append reports} For log append time it is {@code nowMs},
   * otherwise the maximum of the records, at least -1 and always -1 in magic 0.
   */
  public long maxTimestamp() {
    return writer.maxTimestamp();
  }

  /**
   * {@return how many offsets Kafka would have taken, also after a refusal} None before its builder
   * starts; one more than the records written if the builder fails.
   */
  public int offsetsTaken() {
    return call.readsAllFirst || finishing ? writer.offsetsTaken() : 0;
  }

  /**
   * {@return the {@code temporaryMemoryBytes} that Kafka would report: the declared source bytes
   * and the written bytes, both before compression} Wraps as in Kafka.
   *
   * @param verdict of the rebuild
   */
  public int temporaryMemoryBytes(Verdict verdict) {
    int read = call.readsAllFirst ? 0 : headerBytes + (int) verdict.declaredBytes();
    return read + writer.plainBytes();
  }

  /**
   * {@return why a codec is unavailable; null if it is available or only lacked memory, in which
   * case the next batch tries again}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    Throwable cause = reader.unavailableCause(codec);
    return cause != null ? cause : encoders.unavailableCause(codec);
  }

  /** {@return the heap bytes held between batches for buffers and scratch memory} */
  public long heapBytes() {
    return Checksums.heapBytes()
        + reader.heapBytes()
        + encoders.heapBytes()
        + writer.heapBytes()
        + batch.heapBytes();
  }

  /** {@return the off-heap bytes held between batches, as far as known} */
  public long nativeBytes() {
    return reader.nativeBytes() + encoders.nativeBytes();
  }

  /**
   * Frees the codec contexts, their buffers and the memory of {@link #batch}. Waits for a call of
   * another thread. The engine cannot be used afterwards. Closing twice is harmless.
   */
  @Override
  public void close() {
    if (lease.close()) {
      rebuilt = false;
      reader.close();
      encoders.close();
      writer.close();
    }
  }
}
