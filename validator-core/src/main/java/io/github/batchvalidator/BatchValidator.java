// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.check.BatchRules;
import io.github.batchvalidator.check.FaultPlace;
import io.github.batchvalidator.check.MissingCodec;
import io.github.batchvalidator.check.RecordRules;
import io.github.batchvalidator.check.StrictRules;
import io.github.batchvalidator.codec.ByteWindow;
import io.github.batchvalidator.codec.Decoders;
import io.github.batchvalidator.codec.GzipInflater;
import io.github.batchvalidator.codec.Payload;
import io.github.batchvalidator.codec.PayloadDecoder;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.scan.BatchIterator;
import io.github.batchvalidator.scan.SkipKeyValueIterator;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Inspects one record batch after the other, as Kafka's {@code LogValidator} does for a batch that
 * it can append in place. Of magic 0 and 1 a batch is a single message, which may be a compressed
 * one with others in it.
 *
 * <p>Whatever is wrong with a batch is a {@link Reason} in the verdict, never an exception; an
 * {@code OutOfMemoryError}, where the heap has no room for one block of the payload, leaves a
 * verdict that accepts nothing. The buffer is only read: no byte of it, nor its position, limit,
 * mark or order, is changed. Once every codec in use has been seen, an inspection allocates
 * nothing, whether it accepts or refuses; the exceptions are listed in {@code docs/performance.md}.
 *
 * <p>One instance per thread: it is not safe for use by several at once, and holds its contexts and
 * scratch memory until {@link #close()}. How much that is depends on the codecs seen and on the
 * policy's limits, never on the number of partitions or on what a batch declares: see {@link
 * #heapBytes()} and {@link #nativeBytes()}.
 */
public final class BatchValidator implements AutoCloseable {
  private final Decoders decoders;
  private final Checksums checksums = new Checksums();
  private final BatchIterator batches = new BatchIterator();
  private final BatchHeader header = new BatchHeader();
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();
  private final RecordRules recordRules = new RecordRules();
  private final StrictRules strictRules = new StrictRules();
  private final LegacyInspection legacy;
  private @Nullable ValidationListener listener;
  private boolean closed;

  /** Creates a validator that uses the fastest window for each codec, and the JDK's inflater. */
  public BatchValidator() {
    this(GzipInflater.JDK);
  }

  /**
   * Creates a validator that uses the fastest window for each codec.
   *
   * @param gzip what inflates gzip; the same is accepted
   */
  public BatchValidator(GzipInflater gzip) {
    this(Decoders.fastest(gzip));
  }

  private BatchValidator(Decoders decoders) {
    this.decoders = decoders;
    legacy = new LegacyInspection(decoders, payload, window, recordRules, strictRules);
  }

  /**
   * Creates a validator whose windows are the fixed skip buffer of 2 KB, for hosts with very many
   * threads.
   *
   * @return the validator, to be closed by the caller
   */
  public static BatchValidator lowMemory() {
    return new BatchValidator(Decoders.lowMemory());
  }

  /**
   * Creates a validator for a second look at a refused compressed batch: where a stream and records
   * in it are at fault it meets first what Kafka does, since its decoders read ahead exactly as
   * far. So the class of the answer and the records judged before it are Kafka's. Else it tells
   * what the other validators do, but slower, and allocates for each batch. It is made for what is
   * appended: of stored records Kafka's reader has more room, which matters to zstd
   * (ZSTD_WINDOW_NOT_NEEDED in {@code docs/compatibility.md}).
   *
   * @return the validator, to be closed by the caller
   */
  public static BatchValidator likeKafka() {
    return new BatchValidator(Decoders.likeKafka());
  }

  /** {@return a new verdict, owned by the caller, that remembers 16 failing records of a batch} */
  public static Verdict newVerdict() {
    return new MutableVerdict();
  }

  /**
   * Creates a verdict.
   *
   * @param recordFailures how many failing records of a batch it remembers, at least 0; room for
   *     more than 16 is made when they are found
   * @return the verdict, owned by the caller
   */
  public static Verdict newVerdict(int recordFailures) {
    return new MutableVerdict(recordFailures);
  }

  /**
   * Tells a listener of every batch from now on, once its verdict stands. Who knows where a batch
   * was sent to, looks at it twice or writes it anew, calls a listener of its own instead.
   *
   * @param told of each inspection; null, as at first, for none
   * @return this validator
   */
  public BatchValidator listener(@Nullable ValidationListener told) {
    listener = told;
    return this;
  }

  /**
   * Inspects the batch that starts at the buffer's position.
   *
   * <p>For a batch to be appended the buffer must hold no second one; bytes behind it that are no
   * complete batch are ignored, as Kafka does. Of stored batches, and of messages of magic 0 and 1
   * that are not compressed, only the first is looked at: go on behind its {@link
   * Verdict#batchBytes()}.
   *
   * <p>A batch that cannot be stored as it is, is accepted if it is sound: see {@link
   * Verdict#needsRebuild()}.
   *
   * @param buffer heap or direct, sliced or read-only; nothing of it is changed
   * @param policy what the batch is judged by
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   * @throws IllegalStateException if the validator is closed
   * @throws IllegalArgumentException if the verdict is not one of {@link #newVerdict()}
   */
  public boolean inspect(ByteBuffer buffer, Policy policy, long nowMs, Verdict verdict) {
    Objects.requireNonNull(policy, "policy");
    if (closed) {
      throw new IllegalStateException("the validator is closed");
    }
    MutableVerdict filled = MutableVerdict.of(verdict);
    filled.reset();
    batches.wrap(buffer, buffer.position(), buffer.limit());
    boolean accepted =
        checkFraming(buffer, filled)
            && BatchRules.checkBeforeChecksum(header, policy, filled)
            && BatchRules.checkChecksum(header, buffer, checksums, policy, filled)
            && (batches.magic() == BatchLayout.MAGIC_V2
                ? inspectRecords(buffer, policy, nowMs, filled)
                : inspectMessage(buffer, policy, nowMs, filled));
    batches.clear();
    boolean stands =
        accepted && (policy.level() != Level.STRICT || filled.findings().enforce(filled));
    filled.conclude();
    if (stands) {
      filled.seal(buffer);
    }
    if (listener != null) {
      listener.judged(verdict, null);
    }
    return stands;
  }

  private boolean checkFraming(ByteBuffer buffer, MutableVerdict verdict) {
    if (batches.next()) {
      header.read(buffer, batches.start());
      verdict.batch(batches.sizeInBytes(), batches.magic());
      return true;
    }
    Reason why = batches.failure();
    return why == null
        ? verdict.refuse(Reason.FRAMING_INCOMPLETE, 0, BatchLayout.PREFIX_BYTES, 0)
        : verdict.refuse(why, 0, batches.failureFirst(), batches.left());
  }

  private boolean inspectRecords(
      ByteBuffer buffer, Policy policy, long nowMs, MutableVerdict verdict) {
    boolean accepted =
        checkAlone(policy, verdict)
            && BatchRules.checkAfterChecksum(header, policy, verdict)
            && checkRecords(buffer, policy, nowMs, verdict);
    if (policy.numbersAnew() && policy.origin() != Origin.STORED) {
      boolean same = policy.toMagic() == BatchLayout.MAGIC_V2;
      verdict.rebuild(same ? RebuildCause.OTHER_CODEC : RebuildCause.OTHER_MAGIC);
    }
    return accepted;
  }

  private boolean inspectMessage(
      ByteBuffer buffer, Policy policy, long nowMs, MutableVerdict verdict) {
    int attributes = buffer.get(buffer.position() + BatchLayout.codecOffset(batches.magic()));
    boolean plain = (attributes & BatchLayout.CODEC_MASK) == Codec.NONE.id();
    return (plain || checkAlone(policy, verdict)) && legacy.inspect(buffer, policy, nowMs, verdict);
  }

  private boolean checkAlone(Policy policy, MutableVerdict verdict) {
    if (!Reason.BATCH_NOT_ALONE.appliesTo(policy.origin())) {
      return true;
    }
    int size = batches.sizeInBytes();
    if (batches.next()) {
      return verdict.refuse(Reason.BATCH_NOT_ALONE, 0, size, 0);
    }
    Reason why = batches.failure();
    return why == null
        || why == Reason.FRAMING_INCOMPLETE
        || verdict.refuse(why, size, batches.failureFirst(), batches.left());
  }

  private boolean checkRecords(
      ByteBuffer buffer, Policy policy, long nowMs, MutableVerdict verdict) {
    Codec codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    verdict.header(codec, header.isControl(), policy.timestampType());
    recordRules.begin(header, policy, nowMs);
    if (policy.looksStrictly()) {
      strictRules.begin(header, policy, verdict);
    }
    if (header.recordCount() == 0) {
      return recordRules.finish(0, verdict);
    }
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder == null) {
      return MissingCodec.refuse(codec, decoders, verdict);
    }
    payload.wrap(
        buffer,
        buffer.position() + BatchLayout.HEADER_BYTES,
        header.sizeInBytes() - BatchLayout.HEADER_BYTES);
    if (policy.looksStrictly()) {
      payload.checkingContent();
    }
    decoder.open(payload, policy.limits(), window);
    openRecords(codec, policy);
    if (policy.looksStrictly()) {
      walkStrict(verdict);
    } else {
      walk(verdict);
    }
    boolean accepted = finish(codec, verdict);
    if (policy.looksStrictly() && records.failure() == null) {
      strictRules.finish(decoder, recordRules.maxTimestamp());
    }
    decoder.release();
    payload.clear();
    window.clear();
    return accepted;
  }

  private void openRecords(Codec codec, Policy policy) {
    if (codec == Codec.NONE) {
      records.openStored(window, header.recordCount(), payload.length(), policy.limits());
    } else {
      records.open(window, header.recordCount(), policy.limits());
    }
    if (policy.origin() == Origin.STORED) {
      records.announceRecords();
    }
    // Left to the first record, it would be a rare path taken once per batch, often enough to be
    // compiled into the loop and to crowd its registers.
    window.refill();
  }

  private void walk(MutableVerdict verdict) {
    while (records.next()) {
      checkRecord(verdict);
    }
  }

  /** A loop of its own, so that the other one pays nothing for what this one looks at. */
  private void walkStrict(MutableVerdict verdict) {
    while (records.nextStrict()) {
      checkRecord(verdict);
      strictRules.check(records);
    }
  }

  private void checkRecord(MutableVerdict verdict) {
    int index = records.index();
    long start = records.start();
    recordRules.check(index, start, records.timestampDelta(), records.keySize(), verdict);
    recordRules.checkOffset(index, start, records.offsetDelta(), verdict);
  }

  private boolean finish(Codec codec, MutableVerdict verdict) {
    verdict.declared(records.declaredBytes());
    boolean readable = records.finish();
    verdict.records(records.index() + 1, window.plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      return FaultPlace.unreadable(records, codec, verdict);
    }
    return recordRules.finish(header.recordCount(), verdict) || FaultPlace.ofRecord(codec, verdict);
  }

  /**
   * {@return why a codec is refused as unavailable; null if it is not, or if there was only no
   * memory for its context, which the next batch tries again}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return decoders.unavailableCause(codec);
  }

  /** {@return the heap bytes that are held between batches for buffers and scratch} */
  public long heapBytes() {
    return Checksums.heapBytes() + legacy.heapBytes() + decoders.heapBytes();
  }

  /**
   * {@return the bytes that are held between batches outside of the heap: direct buffers exactly,
   * what codec libraries hold as an estimate from their formats}
   */
  public long nativeBytes() {
    return decoders.nativeBytes();
  }

  /**
   * Frees the codec contexts. The validator cannot be used afterwards; closing twice is harmless.
   */
  @Override
  public void close() {
    closed = true;
    decoders.close();
    window.disconnect();
  }
}
