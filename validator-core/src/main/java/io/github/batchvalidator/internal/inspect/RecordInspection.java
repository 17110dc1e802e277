// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.inspect;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.StrictRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.internal.scan.SparseRecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inspection of the records of one batch of magic 2. The records are walked once, or twice if
 * the walk over the compressed form ends early. The second walk resets what the first one has
 * shown: {@link io.github.batchvalidator.verdict.WalkResult} and the records of {@link
 * RecordRules}. Findings about the header stay.
 *
 * <p>Each kind of walk has its own loop, so that none pays for the rules of the others. Never
 * allocates for an accepted batch. Confined to one thread.
 */
final class RecordInspection {
  private final BatchHeader header;
  private final PayloadReader reader;
  private final RecordRules recordRules;
  private final StrictRules strictRules;
  private final TopicChecks topicChecks;
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();
  private final SparseRecordIterator sparseRecords = new SparseRecordIterator();
  private final RecordContent content = new RecordContent();

  RecordInspection(
      BatchHeader header,
      PayloadReader reader,
      RecordRules recordRules,
      StrictRules strictRules,
      TopicChecks topicChecks) {
    this.header = header;
    this.reader = reader;
    this.recordRules = recordRules;
    this.strictRules = strictRules;
    this.topicChecks = topicChecks;
  }

  /**
   * Inspects the records of the batch at the buffer's position, whose header and checksum are
   * correct.
   */
  boolean inspect(
      ByteBuffer buffer,
      Policy policy,
      @Nullable Codec sourceCodec,
      boolean sequential,
      long nowMs,
      MutableVerdict verdict) {
    Codec codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    verdict.header(codec, header.isControl(), policy.target().timestampType());
    Codec source = sourceCodec == null ? codec : sourceCodec;
    boolean keepsOffsets = decideBeforeRecords(policy, source, sequential, verdict);
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
    if (codec == Codec.NONE && reader.hold(buffer, from, payloadBytes(), policy.limits())) {
      return true;
    }
    StreamChecks checks = StreamChecks.of(header.magic(), policy.looksStrictly());
    return reader
        .select(buffer, from, payloadBytes())
        .open(codec, policy.limits(), checks, verdict);
  }

  private int payloadBytes() {
    return header.sizeInBytes() - BatchLayout.HEADER_BYTES;
  }

  /** {@return true if the batch can be stored in place only with the offsets 0, 1, 2, ...} */
  private boolean decideBeforeRecords(
      Policy policy, Codec source, boolean sequential, MutableVerdict verdict) {
    if (policy.origin() == Origin.STORED) {
      return false;
    }
    Target target = policy.target();
    boolean isNeeded = sequential || InPlaceRules.needsSequentialOffsets(target, source);
    RebuildCause cause =
        InPlaceRules.beforeRecords(target, source, header.magic(), header.isControl(), isNeeded);
    if (cause != null) {
      verdict.rebuild(cause);
      return false;
    }
    return isNeeded || header.codecId() != Codec.NONE.id();
  }

  private void openRecords(Codec codec, Policy policy) {
    ByteWindow window = reader.window();
    if (codec == Codec.NONE) {
      records.openStored(window, header.recordCount(), payloadBytes(), policy.limits());
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

  /** Drops the batch after an exception. */
  void abandon() {
    content.clear();
  }

  /** Returns the heap bytes that are held between batches. */
  long heapBytes() {
    return content.heapBytes();
  }
}
