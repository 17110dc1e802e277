// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.inspect;

import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.check.LegacyRules;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.StrictRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
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
 * The inspection of one message of magic 0 or 1, compressed or not.
 *
 * <p>Kafka decompresses a message completely before it checks the first inner message. This class
 * does both in one pass, so a failed check counts only if the rest of the message can be read.
 */
final class LegacyInspection {
  private final PayloadReader reader;
  private final RecordRules recordRules;
  private final StrictRules strictRules;
  private final TopicChecks topicChecks;
  private final LegacyHeader header = new LegacyHeader();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();

  LegacyInspection(
      PayloadReader reader,
      RecordRules recordRules,
      StrictRules strictRules,
      TopicChecks topicChecks) {
    this.reader = reader;
    this.recordRules = recordRules;
    this.strictRules = strictRules;
    this.topicChecks = topicChecks;
  }

  /** Inspects the message at the buffer's position, whose framing and checksum are correct. */
  boolean inspect(
      ByteBuffer buffer,
      Policy policy,
      @Nullable Codec sourceCodec,
      boolean sequential,
      long nowMs,
      MutableVerdict verdict) {
    header.read(buffer, buffer.position());
    boolean accepted = LegacyRules.checkOuter(header, verdict);
    if (accepted) {
      Codec codec = Objects.requireNonNull(Codec.byId(header.codecId()));
      verdict.header(codec, false, policy.target().timestampType());
      recordRules.begin(header, policy, nowMs);
      topicChecks.check(header, policy, verdict);
      if (policy.looksStrictly()) {
        strictRules.begin(header, policy, verdict);
      }
      accepted =
          codec == Codec.NONE
              ? checkPlain(verdict)
              : checkCompressed(buffer, codec, policy, verdict);
    }
    if (accepted && policy.origin() != Origin.STORED) {
      decide(policy.target(), sourceCodec, sequential, verdict);
    }
    return accepted;
  }

  private void decide(
      Target target, @Nullable Codec sourceCodec, boolean sequential, MutableVerdict verdict) {
    Codec codec = Objects.requireNonNull(verdict.codec());
    Codec source = sourceCodec == null ? codec : sourceCodec;
    boolean isNeeded = sequential || InPlaceRules.needsSequentialOffsets(target, source);
    RebuildCause cause =
        InPlaceRules.beforeRecords(target, source, header.magic(), false, isNeeded);
    if (cause != null) {
      verdict.rebuild(cause);
    } else if (isNeeded && !offsetsAreSequential(codec)) {
      verdict.rebuild(RebuildCause.OTHER_OFFSETS);
    }
  }

  private boolean offsetsAreSequential(Codec codec) {
    return codec == Codec.NONE ? header.offset() == 0 : messages.offsetsAreSequential();
  }

  private boolean checkPlain(MutableVerdict verdict) {
    int size = header.sizeInBytes();
    int keySizeEnd = header.keySizeEnd();
    if (recordRules.isKeyRequired()
        && !LegacyRules.recordFieldBeyondEnd(keySizeEnd, size, verdict)) {
      verdict.locate(0, 0);
    } else {
      int keySize = keySizeEnd <= size ? header.keySize() : 0;
      if (!recordRules.check(0, 0, header.timestamp(), keySize, verdict)) {
        verdict.failures().complete(header.offset(), 0, 0);
      }
    }
    verdict.walk().records(1, size, recordRules.maxTimestamp());
    verdict.walk().declared(size);
    return recordRules.finish(1, verdict);
  }

  private boolean checkCompressed(
      ByteBuffer buffer, Codec codec, Policy policy, MutableVerdict verdict) {
    int from = buffer.position() + (int) header.valueSizeEnd();
    StreamChecks checks = StreamChecks.of(header.magic(), policy.looksStrictly());
    reader.select(buffer, from, header.valueSize());
    if (!reader.open(codec, policy.limits(), checks, verdict)) {
      return false;
    }
    messages.open(reader.window(), header, policy.limits(), false);
    walk(policy.looksStrictly(), verdict);
    boolean readable = messages.finish();
    if (readable && policy.looksStrictly()) {
      strictRules.finish(messages, reader.decoder(), recordRules.maxTimestamp());
    }
    verdict
        .walk()
        .records(messages.index() + 1, reader.window().plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      FaultLocator.unreadable(messages, header, verdict);
    } else if (recordRules.finish(messages.index() + 1, verdict)) {
      verdict.walk().declared(messages.bytesRead());
    } else {
      FaultLocator.ofMessage(messages, header, verdict);
    }
    messages.clear();
    reader.release();
    return verdict.reason() == null;
  }

  /** Reads all messages, and checks them until a fault of the batch is found. */
  private void walk(boolean strictly, MutableVerdict verdict) {
    boolean ended = false;
    while (messages.next()) {
      if (strictly) {
        strictRules.check(messages);
      }
      if (!ended) {
        check(verdict);
        ended = verdict.reason() != null && !verdict.decidedByRecords();
      }
    }
  }

  private void check(MutableVerdict verdict) {
    if (LegacyRules.checkMessage(messages, header, recordRules, verdict)) {
      recordRules.checkOffset(messages.index(), messages.start(), messages.offset(), verdict);
    }
  }

  /** Drops the message after an exception. */
  void abandon() {
    messages.clear();
  }

  /** Returns the heap bytes that are held between batches. */
  long heapBytes() {
    return messages.heapBytes();
  }
}
