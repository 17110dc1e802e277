// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.inspect;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.internal.check.BatchRules;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.StrictRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The engine of {@link io.github.batchvalidator.BatchValidator}: framing, header and checksum of a
 * batch, and the conclusion from what was found. {@link RecordInspection} walks the records between
 * them. A batch of magic 0 or 1 is a single message, which may contain compressed messages, and is
 * left to {@link LegacyInspection}.
 *
 * <p>Never allocates for an accepted batch. Confined to one thread.
 */
public final class InspectionEngine implements AutoCloseable {
  private final Checksums checksums = new Checksums();
  private final BatchIterator batches = new BatchIterator();
  private final BatchHeader header = new BatchHeader();
  private final PayloadReader reader;
  private final RecordInspection records;
  private final LegacyInspection legacy;
  private volatile boolean closed;

  /**
   * Creates an engine.
   *
   * @param decoders belong to the engine from now on
   */
  public InspectionEngine(Decoders decoders) {
    reader = new PayloadReader(decoders);
    RecordRules recordRules = new RecordRules();
    StrictRules strictRules = new StrictRules();
    TopicChecks topicChecks = new TopicChecks();
    records = new RecordInspection(header, reader, recordRules, strictRules, topicChecks);
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
              && checkContent(buffer, policy, sourceCodec, false, nowMs, verdict);
      boolean stands = conclude(accepted, policy, verdict);
      if (stands && !verdict.needsRebuild()) {
        verdict.seal(buffer);
      }
      return stands;
    } catch (RuntimeException | Error e) {
      abandon(e, verdict);
      throw e;
    } finally {
      batches.clear();
    }
  }

  /**
   * Inspects a batch whose framing is known, for a caller that has decided whether the batch has to
   * be alone, and that itself stamps only this batch with the verdict.
   *
   * @param batch the bytes of the batch between position and limit; nothing of them is changed
   * @param policy the rules for the batch
   * @param sourceCodec the codec that the caller passes; null for that of the batch
   * @param sequential true if the batch may stay in place only with the offsets 0, 1, 2, ...
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
    begin(policy, verdict);
    verdict.batch(batch.remaining(), BatchLayout.magicAt(batch, batch.position()));
    try {
      boolean accepted =
          checkHeader(batch, policy, verdict)
              && checkContent(batch, policy, sourceCodec, sequential, nowMs, verdict);
      boolean stands = conclude(accepted, policy, verdict);
      if (stands && !verdict.needsRebuild()) {
        verdict.sealUnbound();
      }
      return stands;
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
    records.abandon();
    legacy.abandon();
  }

  private void begin(Policy policy, MutableVerdict verdict) {
    if (closed) {
      throw new IllegalStateException("the validator is closed");
    }
    verdict.reset(policy);
  }

  private boolean conclude(boolean accepted, Policy policy, MutableVerdict verdict) {
    boolean stands =
        accepted
            && enforceTopic(verdict)
            && (policy.level() != Level.STRICT || verdict.findings().enforce(verdict));
    verdict.conclude();
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
      boolean sequential,
      long nowMs,
      MutableVerdict verdict) {
    if (header.magic() != BatchLayout.MAGIC_V2) {
      return legacy.inspect(buffer, policy, sourceCodec, sequential, nowMs, verdict);
    }
    return BatchRules.checkAfterChecksum(header, policy, verdict)
        && records.inspect(buffer, policy, sourceCodec, sequential, nowMs, verdict);
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
    return Checksums.heapBytes() + legacy.heapBytes() + reader.heapBytes() + records.heapBytes();
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
