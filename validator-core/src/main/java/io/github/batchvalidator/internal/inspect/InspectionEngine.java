// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.inspect;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.internal.check.BatchRules;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.StrictRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.internal.scan.SparseRecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine of {@link io.github.batchvalidator.BatchValidator}. A batch of magic 0 or 1 is a
 * single message, which may contain compressed messages.
 *
 * <p>Never allocates for an accepted batch. Confined to one thread.
 */
public final class InspectionEngine implements AutoCloseable {
  private final Checksums checksums = new Checksums();
  private final BatchIterator batches = new BatchIterator();
  private final BatchHeader header = new BatchHeader();
  private final PayloadReader reader;
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();
  private final SparseRecordIterator sparseRecords = new SparseRecordIterator();
  private final RecordRules recordRules = new RecordRules();
  private final StrictRules strictRules = new StrictRules();
  private final TopicChecks topicChecks = new TopicChecks();
  private final RecordContent content = new RecordContent();
  private final LegacyInspection legacy;
  private volatile boolean closed;

  /**
   * Creates an engine.
   *
   * @param decoders belong to the engine from now on
   */
  public InspectionEngine(Decoders decoders) {
    reader = new PayloadReader(decoders);
    legacy = new LegacyInspection(reader, recordRules, strictRules, topicChecks);
  }

  /**
   * Inspects the batch at the buffer's position.
   *
   * @param buffer nothing of it is changed
   * @param policy the rules for the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspect(ByteBuffer buffer, Policy policy, long nowMs, MutableVerdict verdict) {
    return inspect(buffer, policy, null, nowMs, verdict);
  }

  /**
   * Inspects the batch at the buffer's position for a caller that passes a source codec, as callers
   * of Kafka's validator do. Kafka decides by that codec whether it stores a batch in place.
   *
   * @param buffer nothing of it is changed
   * @param policy the rules for the batch
   * @param sourceCodec the codec; null for that of the batch
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
    begin(policy, verdict);
    batches.wrap(buffer, buffer.position(), buffer.limit());
    try {
      boolean accepted =
          FramingRules.checkFirst(batches, verdict)
              && checkHeader(buffer, policy, verdict)
              && (!hasToBeAlone(buffer, policy) || FramingRules.batchNotAlone(batches, verdict))
              && checkContent(buffer, policy, sourceCodec, nowMs, verdict);
      return conclude(accepted, buffer, policy, verdict);
    } catch (RuntimeException | Error e) {
      abandon(e, verdict);
      throw e;
    } finally {
      batches.clear();
    }
  }

  /**
   * Inspects a batch whose framing is known, for a caller that has decided whether the batch has to
   * be alone.
   *
   * @param batch the bytes of the batch between position and limit; nothing of them is changed
   * @param policy the rules for the batch
   * @param sourceCodec the codec that the caller passes; null for that of the batch
   * @param nowMs the time of the append, milliseconds since the epoch
   * @param verdict reset and filled
   * @return true if the batch is accepted
   */
  public boolean inspectFramed(
      ByteBuffer batch,
      Policy policy,
      @Nullable Codec sourceCodec,
      long nowMs,
      MutableVerdict verdict) {
    begin(policy, verdict);
    verdict.batch(batch.remaining(), BatchLayout.magicAt(batch, batch.position()));
    try {
      boolean accepted =
          checkHeader(batch, policy, verdict)
              && checkContent(batch, policy, sourceCodec, nowMs, verdict);
      return conclude(accepted, batch, policy, verdict);
    } catch (RuntimeException | Error e) {
      abandon(e, verdict);
      throw e;
    }
  }

  /**
   * Drops the batch after an exception: heap ran out for one of its blocks, or the caller changed
   * its bytes meanwhile. The next batch finds nothing of it.
   */
  private void abandon(Throwable thrown, MutableVerdict verdict) {
    FaultLocator.ofMemory(thrown, verdict);
    reader.release();
    content.clear();
    legacy.abandon();
  }

  private void begin(Policy policy, MutableVerdict verdict) {
    if (closed) {
      throw new IllegalStateException("the validator is closed");
    }
    verdict.reset(policy);
  }

  private boolean conclude(
      boolean accepted, ByteBuffer buffer, Policy policy, MutableVerdict verdict) {
    boolean stands =
        accepted
            && enforceTopic(verdict)
            && (policy.level() != Level.STRICT || verdict.findings().enforce(verdict));
    verdict.conclude();
    if (stands && !verdict.needsRebuild()) {
      verdict.seal(buffer);
    }
    return stands;
  }

  private boolean enforceTopic(MutableVerdict verdict) {
    return verdict.enforceTopic() || FaultLocator.ofRecord(header, verdict);
  }

  private boolean checkHeader(ByteBuffer buffer, Policy policy, MutableVerdict verdict) {
    header.read(buffer, buffer.position(), verdict.batchBytes());
    return BatchRules.checkBeforeChecksum(header, policy, verdict)
        && BatchRules.checkChecksum(header, buffer, checksums, policy, verdict);
  }

  private boolean hasToBeAlone(ByteBuffer buffer, Policy policy) {
    return Reason.BATCH_NOT_ALONE.appliesTo(policy.origin())
        && (header.magic() == BatchLayout.MAGIC_V2
            || BatchLayout.codecIdAt(buffer, buffer.position()) != Codec.NONE.id());
  }

  private boolean checkContent(
      ByteBuffer buffer,
      Policy policy,
      @Nullable Codec sourceCodec,
      long nowMs,
      MutableVerdict verdict) {
    if (header.magic() != BatchLayout.MAGIC_V2) {
      return legacy.inspect(buffer, policy, sourceCodec, nowMs, verdict);
    }
    return BatchRules.checkAfterChecksum(header, policy, verdict)
        && checkRecords(buffer, policy, sourceCodec, nowMs, verdict);
  }

  private boolean checkRecords(
      ByteBuffer buffer,
      Policy policy,
      @Nullable Codec sourceCodec,
      long nowMs,
      MutableVerdict verdict) {
    Codec codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    verdict.header(codec, header.isControl(), policy.target().timestampType());
    Codec source = sourceCodec == null ? codec : sourceCodec;
    boolean keepsOffsets = decideBeforeRecords(policy, source, verdict);
    recordRules.begin(header, policy, keepsOffsets, nowMs);
    if (policy.looksStrictly()) {
      strictRules.begin(header, policy, verdict);
    }
    boolean hasRules = topicChecks.begin(header, policy, verdict.needsRebuild(), verdict);
    if (header.recordCount() == 0) {
      return recordRules.finish(0, verdict);
    }
    if (hasRules) {
      content.begin(policy.topicRules());
    }
    if (!open(buffer, codec, policy, verdict)) {
      return false;
    }
    if (!policy.looksStrictly() && acceptSparsely(policy, hasRules, verdict)) {
      reader.release();
      return true;
    }
    openRecords(codec, policy);
    if (hasRules) {
      walkTopic(policy.looksStrictly(), verdict);
    } else if (policy.looksStrictly()) {
      walkStrict(verdict);
    } else {
      walk(verdict);
    }
    boolean accepted = finish(codec, verdict);
    if (keepsOffsets && !recordRules.offsetsAreSequential()) {
      verdict.rebuild(RebuildCause.OTHER_OFFSETS);
    }
    if (policy.looksStrictly() && records.failure() == null) {
      strictRules.finish(reader.decoder(), recordRules.maxTimestamp());
    }
    reader.release();
    return accepted;
  }

  private boolean open(ByteBuffer buffer, Codec codec, Policy policy, MutableVerdict verdict) {
    int from = header.start() + BatchLayout.HEADER_BYTES;
    StreamChecks checks = StreamChecks.of(header.magic(), policy.looksStrictly());
    return reader
        .select(buffer, from, header.sizeInBytes() - BatchLayout.HEADER_BYTES)
        .open(codec, policy.limits(), checks, verdict);
  }

  /** {@return true if the batch can be stored in place only with the offsets 0, 1, 2, ...} */
  private boolean decideBeforeRecords(Policy policy, Codec source, MutableVerdict verdict) {
    if (policy.origin() == Origin.STORED) {
      return false;
    }
    Target target = policy.target();
    RebuildCause cause =
        InPlaceRules.beforeRecords(target, source, header.magic(), header.isControl());
    if (cause != null) {
      verdict.rebuild(cause);
      return false;
    }
    return header.codecId() != Codec.NONE.id()
        || InPlaceRules.needsSequentialOffsets(target, source);
  }

  private void openRecords(Codec codec, Policy policy) {
    ByteWindow window = reader.window();
    if (codec == Codec.NONE) {
      records.openStored(window, header.recordCount(), reader.length(), policy.limits());
    } else {
      records.open(window, header.recordCount(), policy.limits());
    }
    if (policy.origin() == Origin.STORED) {
      records.announceRecords();
    }
    // Without this call, the first record of every batch would take the rare path of an empty
    // window.
    // The JIT would then compile that path into the loop, which costs registers.
    window.refill();
  }

  /**
   * Checks all records without decompressing the payload, if the codec and the payload allow it.
   *
   * @return true if the records pass; otherwise the verdict is as before, and they have to be
   *     walked from the first one
   */
  private boolean acceptSparsely(Policy policy, boolean hasRules, MutableVerdict verdict) {
    int count = header.recordCount();
    SparseWindow plain = reader.sparse(count, policy.limits());
    if (plain == null) {
      return false;
    }
    sparseRecords.open(plain, count, policy.limits());
    if (hasRules) {
      walkSparseTopic(verdict);
    } else {
      walkSparse(verdict);
    }
    boolean accepted = sparseRecords.isComplete() && recordRules.finish(count, verdict);
    plain.conclude(accepted);
    if (!accepted) {
      verdict.walk().restart();
      recordRules.restart();
      return false;
    }
    verdict.walk().declared(sparseRecords.declaredBytes());
    verdict.walk().records(count, plain.length(), recordRules.maxTimestamp());
    return true;
  }

  /** Stops at the first failing record, because the other walk has to find them all anyway. */
  private void walkSparse(MutableVerdict verdict) {
    boolean passes = true;
    while (passes && sparseRecords.next()) {
      passes = checkRecord(sparseRecords, verdict);
    }
  }

  private void walkSparseTopic(MutableVerdict verdict) {
    boolean isLookedAt = content.isLookedAt();
    boolean passes = true;
    while (passes && (isLookedAt ? sparseRecords.nextWithContent(content) : sparseRecords.next())) {
      passes = checkRecord(sparseRecords, verdict) && topicChecks.check(sparseRecords, content);
    }
  }

  private void walk(MutableVerdict verdict) {
    while (records.next()) {
      checkRecord(records, verdict);
    }
  }

  /** Separate from {@link #walk}, so that level KAFKA does not pay for the strict rules. */
  private void walkStrict(MutableVerdict verdict) {
    while (records.nextStrict(null)) {
      checkRecord(records, verdict);
      strictRules.check(records);
    }
  }

  /** Separate from {@link #walk}, so that topics without rules do not pay for them. */
  private void walkTopic(boolean strict, MutableVerdict verdict) {
    if (content.isLookedAt()) {
      walkContent(strict, verdict);
    } else {
      walkFields(strict, verdict);
    }
  }

  private void walkContent(boolean strict, MutableVerdict verdict) {
    if (strict) {
      while (records.nextStrict(content)) {
        checkTopic(true, verdict);
      }
    } else {
      walkContent(verdict);
    }
    content.clear();
  }

  private void walkContent(MutableVerdict verdict) {
    while (records.advance()
        && (records.readShortTail(records.readShortHead(false), false, content)
            || records.readAnyContent(content))) {
      checkTopic(false, verdict);
    }
  }

  /** Separate from {@link #walkContent}, so that simple rules do not pay for the others. */
  private void walkFields(boolean strict, MutableVerdict verdict) {
    while (strict ? records.nextStrict(null) : records.next()) {
      checkTopic(strict, verdict);
    }
  }

  private void checkTopic(boolean strict, MutableVerdict verdict) {
    checkRecord(records, verdict);
    topicChecks.check(records, content);
    if (strict) {
      strictRules.check(records);
    }
  }

  private boolean checkRecord(BatchRecordWalk record, MutableVerdict verdict) {
    int index = record.index();
    long start = record.start();
    boolean passes =
        recordRules.check(index, start, record.timestampDelta(), record.keySize(), verdict);
    if (!passes) {
      verdict.failures().complete(record.offsetDelta(), record.keySize(), record.valueSize());
    }
    recordRules.checkOffset(index, start, record.offsetDelta(), verdict);
    return passes;
  }

  private boolean finish(Codec codec, MutableVerdict verdict) {
    verdict.walk().declared(records.declaredBytes());
    boolean readable = records.finish();
    verdict
        .walk()
        .records(records.index() + 1, reader.window().plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      return FaultLocator.unreadable(records, codec, verdict);
    }
    return recordRules.finish(header.recordCount(), verdict)
        || FaultLocator.ofRecord(header, verdict);
  }

  /**
   * {@return why a codec is unavailable, or null}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return reader.unavailableCause(codec);
  }

  /** {@return the heap bytes that are held between batches} */
  public long heapBytes() {
    return Checksums.heapBytes() + legacy.heapBytes() + reader.heapBytes() + content.heapBytes();
  }

  /** {@return the off-heap bytes that are held between batches} */
  public long nativeBytes() {
    return reader.nativeBytes();
  }

  /**
   * Frees the codec contexts. Waits for a compressed batch that another thread is inspecting.
   * Closing twice is harmless.
   */
  @Override
  public void close() {
    closed = true;
    reader.close();
  }
}
