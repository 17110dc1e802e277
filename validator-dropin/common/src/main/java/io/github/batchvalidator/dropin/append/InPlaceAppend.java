// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.refusal.Refusals;
import io.github.batchvalidator.engine.AppendRules;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An append of records that the caller passes as uncompressed and that are stored in place: one
 * batch of magic 2, or any number of messages. Like Kafka, it stamps each message before it checks
 * the next one.
 */
final class InPlaceAppend {
  private static final long NO_TIMESTAMP = -1;

  private InPlaceAppend() {}

  /** Validates and stamps the batches, or throws. */
  static void run(AppendContext append) {
    long nowMs = append.parameters().time().milliseconds();
    byte firstMagic = append.requireFirst(Codec.NONE);
    long maxTimestamp;
    if (firstMagic == BatchLayout.MAGIC_V2) { // alone
      maxTimestamp = runSelected(append, firstMagic, nowMs);
      append.report(append.engines().verdict());
    } else {
      maxTimestamp = runMessages(append, firstMagic, nowMs);
    }
    if (append.isLogAppendTime()) {
      maxTimestamp =
          append.policy().target().magic() == LegacyLayout.MAGIC_V0 ? NO_TIMESTAMP : nowMs;
    }
    append.outcome().setInPlace(nowMs, maxTimestamp, 0);
  }

  /** Validates and stamps messages one by one. Returns their maximum timestamp. */
  private static long runMessages(AppendContext append, byte magic, long nowMs) {
    ByteBuffer buffer = append.buffer();
    int end = buffer.limit();
    boolean succeeds = isSound(append, magic, nowMs);
    long maxTimestamp = NO_TIMESTAMP;
    BatchIterator messages = append.rewind();
    while (messages.next()) {
      if (messages.magic() != magic) {
        throw append.refusal(Reason.REBUILD_MAGIC_MISMATCH, messages.magic(), magic);
      }
      maxTimestamp = Math.max(maxTimestamp, runSelected(append, magic, nowMs));
      if (succeeds) {
        append.report(append.engines().verdict());
      }
      buffer.limit(end);
    }
    append.refuseBadFraming();
    if (!succeeds) { // a transient fault of the first inspection, such as a lack of memory
      append.report(append.engines().verdict());
    }
    return maxTimestamp;
  }

  /** Validates and stamps the current batch of the iterator. Returns its maximum timestamp. */
  private static long runSelected(AppendContext append, byte magic, long nowMs) {
    append.select();
    if (isCompressed(append.buffer(), magic)) {
      checkMislabelled(append, nowMs);
    } else if (!append.inspect(false, nowMs)) {
      MutableVerdict verdict = append.engines().verdict();
      countCheckedRecords(append, verdict);
      throw append.refusal(verdict, false);
    }
    append.stamp(append.buffer(), append.nextOffset(), nowMs);
    return append.engines().verdict().maxTimestamp();
  }

  /**
   * {@return true if the append will not be refused after its first message is stamped} Messages
   * are counted as accepted one by one, so a later refusal must be known first. Several messages
   * are therefore inspected twice. A single message is inspected once.
   */
  private static boolean isSound(AppendContext append, byte magic, long nowMs) {
    ByteBuffer buffer = append.buffer();
    int start = buffer.position();
    int end = buffer.limit();
    int count = 0;
    BatchIterator batches = append.rewind();
    while (batches.next()) {
      if (batches.magic() != magic) {
        return false;
      }
      count++;
    }
    if (AppendRules.endsInFault(batches)) {
      return false;
    }
    batches.rewind();
    boolean sound = true;
    while (count > 1 && sound && batches.next()) {
      append.select();
      sound =
          isCompressed(buffer, magic)
              ? append.engines().check(buffer, append.policy(), nowMs)
              : append.engines().inspect(buffer, append.policy(), append.source(), false, nowMs);
      buffer.limit(end);
    }
    buffer.position(start);
    return sound;
  }

  private static boolean isCompressed(ByteBuffer batch, byte magic) {
    int at = BatchLayout.codecOffset(magic);
    return at < batch.remaining()
        && (batch.get(batch.position() + at) & BatchLayout.CODEC_MASK) != Codec.NONE.id();
  }

  /**
   * Checks a compressed batch that the caller passed as uncompressed. The offset counter follows
   * Kafka: all records of a batch of magic 2, but only the checked ones of a message.
   */
  private static void checkMislabelled(AppendContext append, long nowMs) {
    if (append.engines().check(append.buffer(), append.policy(), nowMs)) {
      return;
    }
    MutableVerdict verdict = append.engines().verdict();
    if (verdict.decidedByRecords()) {
      append.skipOffsets(verdict.recordCount());
    } else if (verdict.magic() != BatchLayout.MAGIC_V2 && isFoundInOrder(verdict.reason())) {
      append.skipOffsets(verdict.recordIndex());
    }
    throw append.refusal(verdict, false);
  }

  /** {@return true if Kafka refuses an inner message after it has checked those before it} */
  private static boolean isFoundInOrder(@Nullable Reason why) {
    return why == Reason.RECORD_COMPRESSED || why == Reason.RECORD_CRC_MISMATCH;
  }

  /** Moves the offset counter past the checked records, failing ones included, as Kafka does. */
  private static void countCheckedRecords(AppendContext append, Verdict verdict) {
    append.skipOffsets(
        verdict.decidedByRecords() ? verdict.recordCount() : Refusals.checkedRecords(verdict));
  }
}
