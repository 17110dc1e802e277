// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.Checksums;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks batches and writes their records anew, as Kafka's {@code LogValidator} does where it
 * cannot store them as they are: another codec, another magic, or messages that have to be
 * renumbered.
 *
 * <p>One pass: a record is read, checked and written before the next one is looked at, and what was
 * written is worth nothing once a fault is found. Records whose bytes are already what would be
 * written are copied. Only where neither the source nor the target is compressed are batches read
 * twice, because Kafka reads all of them before it checks the first.
 *
 * <p>Whatever is wrong with the source is a {@link Reason} in the verdict, never an exception (but
 * an {@link OutOfMemoryError} for a heap without room for one block), and no byte of the source is
 * written, nor its position, limit, mark or order changed. Memory depends on codecs and {@link
 * io.github.batchvalidator.rule.Limits}, and beside the result not on the number of records. Once
 * warm, a rebuild allocates nothing, but for headers that Kafka would write otherwise (keys that
 * are not UTF-8, numbers that are not the shortest), for results above 128 KiB, for limits that
 * change from call to call where neither side is compressed, and for what {@code
 * docs/performance.md} tells of single codecs.
 *
 * <p>One instance per thread, which holds its contexts and buffers until {@link #close()}.
 */
public final class RebuildEngine implements AutoCloseable {
  private final PayloadReader reader;
  private final Encoders encoders = new Encoders();
  private final Checksums checksums = new Checksums();
  private final BatchIterator batches = new BatchIterator();
  private final BatchWriter writer = new BatchWriter(encoders, checksums);
  private final RebuildCall call = new RebuildCall();
  private final SourceBatch batch;

  private @Nullable Codec givenSourceCodec;
  private int headerBytes;
  private boolean finishing;
  private boolean rebuilt;
  private boolean closed;

  /**
   * Creates a rebuilder that reads through given decoders.
   *
   * @param decoders belong to the rebuilder from now on
   */
  public RebuildEngine(Decoders decoders) {
    reader = new PayloadReader(decoders);
    batch = new SourceBatch(call, reader, checksums, writer);
  }

  /**
   * Takes a caller's word for the codec of the source, for the next call of {@link #rebuild} alone.
   * Kafka's validator is told it, and goes by it where it decides what to look at first; a broker
   * says the last codec it saw, which is what a rebuilder finds out for itself otherwise.
   *
   * @param codec what the caller says
   * @return this rebuilder
   */
  public RebuildEngine sourceCodec(Codec codec) {
    givenSourceCodec = codec;
    return this;
  }

  /**
   * Rebuilds the batches between the buffer's position and limit: one of magic 2, one compressed
   * message, or any number of messages that are not. An incomplete one at the end is ignored, as
   * Kafka does.
   *
   * @param source heap or direct, sliced or read-only; nothing of it is changed
   * @param policy the rules for the batches, and the form to write
   * @param firstOffset the log end offset: that of the first record
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled; of several messages with what the last one looked at says;
   *     tells the cause that a broker would have, {@link RebuildCause#OTHER_OFFSETS} if it has none
   * @return true if there is a rebuilt batch, see {@link #batch}
   * @throws IllegalStateException if the rebuilder is closed
   */
  public boolean rebuild(
      ByteBuffer source, Policy policy, long firstOffset, long nowMs, Verdict verdict) {
    Objects.requireNonNull(policy, "policy");
    return rebuildInto(source, policy, firstOffset, nowMs, MutableVerdict.of(verdict));
  }

  private boolean rebuildInto(
      ByteBuffer source, Policy policy, long firstOffset, long nowMs, MutableVerdict verdict) {
    start(verdict);
    batches.wrap(source, source.position(), source.limit()).frame();
    Codec sourceCodec = givenSourceCodec == null ? lastCodec() : givenSourceCodec;
    givenSourceCodec = null;
    writer.begin(policy, sourceCodec, firstOffset, nowMs);
    call.begin(
        source, policy, nowMs, verdict, writer.codec() == Codec.NONE && sourceCodec == Codec.NONE);
    batch.begin();
    rebuilt =
        checkAsCaller()
            && (!call.readsAllFirst || readAll())
            && checkAlone(sourceCodec)
            && rebuildAll()
            && finish();
    if (rebuilt) {
      verdict.rebuild(
          RebuildCause.of(sourceCodec, writer.codec(), verdict.magic(), policy.target().magic()));
    }
    end(verdict);
    if (rebuilt) {
      verdict.sealRebuilt(writer.written(), writer.magic(), writer.count(), writer.fixedOffset());
    }
    return rebuilt;
  }

  /**
   * Checks a batch as {@link #rebuild} would, and writes nothing: for one that is compressed where
   * the log is told that it is not. Kafka reads all of it before it checks the first record, looks
   * into each and compares no offsets.
   *
   * @param source holds the batch and nothing else; nothing of it is changed
   * @param policy what the batch is judged by
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   * @throws IllegalStateException if the rebuilder is closed
   */
  public boolean check(ByteBuffer source, Policy policy, long nowMs, Verdict verdict) {
    Objects.requireNonNull(policy, "policy");
    MutableVerdict filled = MutableVerdict.of(verdict);
    start(filled);
    batches.wrap(source, source.position(), source.limit()).frame();
    writer.beginNothing();
    call.begin(source, policy, nowMs, filled, true);
    batch.begin();
    boolean accepted = checkAsCaller() && rebuildAll();
    end(filled);
    if (accepted) {
      filled.seal(source);
    }
    return accepted;
  }

  private void start(MutableVerdict verdict) {
    if (closed) {
      throw new IllegalStateException("the rebuilder is closed");
    }
    verdict.reset();
    rebuilt = false;
    headerBytes = 0;
    finishing = false;
  }

  private void end(MutableVerdict verdict) {
    batch.end();
    call.end();
    batches.clear();
    writer.release();
    verdict.conclude();
  }

  /** Returns the last codec that is one, as a broker tells its validator; unknown ids count. */
  private Codec lastCodec() {
    Codec found = Codec.NONE;
    while (batches.next()) {
      int id = BatchLayout.codecIdAt(batches.buffer(), batches.start());
      Codec codec = Codec.byId(id);
      if (id != Codec.NONE.id()) {
        found = codec == null ? Codec.ZSTD : codec;
      }
    }
    return found;
  }

  /** Makes the checks that a broker makes of all batches before it asks its validator. */
  private boolean checkAsCaller() {
    if (call.policy.checkedByHost()) {
      return true;
    }
    batches.rewind();
    while (batches.next()) {
      call.verdict.batch(batches.sizeInBytes(), batches.magic());
      if (!batch.checkAsCaller(batches.start())) {
        return false;
      }
    }
    return FramingRules.checkEnd(batches, call.verdict);
  }

  /** Reads every record of every batch, and looks for nothing else. */
  private boolean readAll() {
    batches.rewind();
    while (batches.next()) {
      call.verdict.batch(batches.sizeInBytes(), batches.magic());
      if (!batch.read(batches.start(), batches.magic())) {
        return false;
      }
    }
    return FramingRules.checkEnd(batches, call.verdict);
  }

  private boolean checkAlone(Codec sourceCodec) {
    batches.rewind();
    return FramingRules.checkFirst(batches, call.verdict)
        && ((batches.magic() != BatchLayout.MAGIC_V2 && sourceCodec == Codec.NONE)
            || FramingRules.batchNotAlone(batches, call.verdict));
  }

  private boolean rebuildAll() {
    batches.rewind();
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

  // ---- what came out

  /**
   * Returns the rebuilt batch, between position 0 and limit, in big-endian order whatever became of
   * the buffer since the last call. No records make no bytes.
   *
   * @return memory of the rebuilder, valid until its next call
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
   * {@return the maximum timestamp as an append reports it: of a log-append-time topic {@code
   * nowMs}, else that of the records, at least -1 and always that in magic 0}
   */
  public long maxTimestamp() {
    return writer.maxTimestamp();
  }

  /**
   * {@return how many offsets Kafka would have taken, after a refusal too: none before its builder
   * is at work, one more than records written if that stumbles}
   */
  public int offsetsTaken() {
    return call.readsAllFirst || finishing ? writer.offsetsTaken() : 0;
  }

  /**
   * {@return the {@code temporaryMemoryBytes} that Kafka would report: what the source declares and
   * what was written, both before compression} Wraps as in Kafka.
   *
   * @param verdict of the rebuild
   */
  public int temporaryMemoryBytes(Verdict verdict) {
    int read = call.readsAllFirst ? 0 : headerBytes + (int) verdict.declaredBytes();
    return read + writer.plainBytes();
  }

  /**
   * {@return why a codec is refused as unavailable; null if it is not, or if there was only no
   * memory for its context, which the next batch tries again}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    Throwable cause = reader.unavailableCause(codec);
    return cause != null ? cause : encoders.unavailableCause(codec);
  }

  /** {@return the heap bytes that are held between batches for buffers and scratch} */
  public long heapBytes() {
    return Checksums.heapBytes()
        + reader.heapBytes()
        + encoders.heapBytes()
        + writer.heapBytes()
        + batch.heapBytes();
  }

  /** {@return the bytes that are held between batches outside of the heap, as far as known} */
  public long nativeBytes() {
    return reader.nativeBytes() + encoders.nativeBytes();
  }

  /**
   * Frees the codec contexts, their buffers and that of {@link #batch}. The rebuilder cannot be
   * used afterwards; closing twice is harmless.
   */
  @Override
  public void close() {
    closed = true;
    rebuilt = false;
    reader.close();
    encoders.close();
    writer.close();
  }
}
