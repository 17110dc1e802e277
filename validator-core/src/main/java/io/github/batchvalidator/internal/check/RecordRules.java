// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.verdict.MutableVerdict;

/**
 * The rules for single records, and for all records of a batch together. A rule is named after its
 * {@link Reason}. It returns true if the record passes; otherwise it writes to the verdict and
 * returns false.
 *
 * <p>{@code begin} reads policy and header once, so that the loop over the records compares plain
 * fields. The numbers of a record are parameters, so that any iterator can call the rules. Never
 * allocates. Confined to one thread.
 */
public final class RecordRules {
  /** The timestamp of a record without a timestamp. */
  private static final long NO_TIMESTAMP = -1;

  private static final int NONE = -1;

  private boolean keyRequired;
  private boolean timestampsChecked;
  private boolean topicIsCreateTime;
  private long nowMs;
  private long beforeMaxMs;
  private long afterMaxMs;

  private boolean batchIsLogAppendTime;
  private long baseTimestamp;
  private long batchMaxTimestamp;
  private long baseOffset;
  private long lastOffsetDelta;
  private boolean offsetsSequential;
  private boolean compressed;
  private boolean offsetsAscending;
  private boolean maxTimestampChecked;

  private long maxTimestamp;
  private long previousOffsetDelta;
  private int unexpectedIndex;
  private long unexpectedStart;
  private long unexpectedOffset;

  public RecordRules() {}

  /**
   * Starts a batch.
   *
   * @param header of the batch, 61 bytes
   * @param policy decides which rules apply
   * @param keepsOffsets true if the records keep their offsets, because no rebuild is needed so far
   * @param now milliseconds since the epoch
   */
  public void begin(BatchHeader header, Policy policy, boolean keepsOffsets, long now) {
    begin(policy, now);
    batchIsLogAppendTime = header.isLogAppendTime();
    baseTimestamp = header.baseTimestamp();
    batchMaxTimestamp = header.maxTimestamp();
    baseOffset = header.baseOffset();
    lastOffsetDelta = header.lastOffsetDelta();
    offsetsSequential = keepsOffsets && Reason.RECORD_OFFSET_UNEXPECTED.appliesTo(policy.origin());
    compressed = header.codecId() != Codec.NONE.id();
    maxTimestampChecked = offsetsAscending && !batchIsLogAppendTime;
  }

  /**
   * Starts a message of magic 0 or 1, whose records have timestamps instead of timestamp deltas.
   *
   * @param message an uncompressed message, or a compressed message that contains others
   * @param policy decides which rules apply
   * @param now milliseconds since the epoch
   */
  public void begin(LegacyHeader message, Policy policy, long now) {
    begin(policy, now);
    batchIsLogAppendTime = message.isLogAppendTime();
    baseTimestamp = 0;
    batchMaxTimestamp = message.timestamp();
    baseOffset = 0;
    lastOffsetDelta = message.magic() == LegacyLayout.MAGIC_V0 ? message.offset() : Long.MAX_VALUE;
    offsetsSequential = false;
    compressed = false;
    maxTimestampChecked = false;
  }

  private void begin(Policy policy, long now) {
    Origin origin = policy.origin();
    keyRequired = policy.compactedTopic() && Reason.RECORD_KEY_MISSING.appliesTo(origin);
    timestampsChecked = Reason.RECORD_TIMESTAMP_OUT_OF_RANGE.appliesTo(origin);
    topicIsCreateTime = policy.target().timestampType() == TimestampType.CREATE_TIME;
    nowMs = now;
    beforeMaxMs = policy.timestampBeforeMaxMs();
    afterMaxMs = policy.timestampAfterMaxMs();
    offsetsAscending = Reason.RECORD_OFFSET_OUT_OF_ORDER.appliesTo(origin);
    restart();
  }

  /** Forgets the records of the batch, so that they can be checked again from the first one. */
  public void restart() {
    maxTimestamp = NO_TIMESTAMP;
    previousOffsetDelta = NONE;
    unexpectedIndex = NONE;
  }

  /** {@return true if a record without a key fails} */
  public boolean isKeyRequired() {
    return keyRequired;
  }

  /**
   * Checks one record. If the record breaks several rules, only the first is reported.
   *
   * @param index of the record in the batch
   * @param start of the record, in plain bytes from the first record
   * @param timestampDelta relative to the base timestamp; for magic 0 and 1 the timestamp
   * @param keySize in bytes, negative for null
   * @param verdict takes the failure
   * @return false if the record fails; the caller then calls {@code complete} on the failures
   */
  public boolean check(
      int index, long start, long timestampDelta, int keySize, MutableVerdict verdict) {
    long timestamp = batchIsLogAppendTime ? batchMaxTimestamp : baseTimestamp + timestampDelta;
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    return recordKeyMissing(index, start, keySize, verdict)
        && (!timestampsChecked || checkTimestamp(index, start, timestamp, verdict));
  }

  private boolean checkTimestamp(int index, long start, long timestamp, MutableVerdict verdict) {
    return (topicIsCreateTime && timestamp != NO_TIMESTAMP)
        ? recordTimestampOutOfRange(index, start, timestamp, verdict)
        : recordTimestampTypeInvalid(index, start, timestamp, verdict);
  }

  /**
   * Checks the offset of one record that stays in place. Not for rebuilds, which renumber the
   * records.
   *
   * @param index of the record in the batch
   * @param start of the record, in plain bytes from the first record
   * @param offsetDelta relative to the base offset; for magic 0 and 1 the stored offset
   * @param verdict takes the failure
   */
  public void checkOffset(int index, long start, long offsetDelta, MutableVerdict verdict) {
    if (offsetsSequential) {
      recordOffsetUnexpected(index, start, offsetDelta);
    } else if (offsetsAscending) {
      recordOffsetOutOfOrder(index, start, offsetDelta, verdict);
    }
  }

  /**
   * Ends a batch after all records were read.
   *
   * @return true if no rule was broken, by a record or by all records together
   * @param recordCount the number of records
   * @param verdict takes a refusal that only the whole batch shows
   */
  public boolean finish(int recordCount, MutableVerdict verdict) {
    if (verdict.reason() != null) {
      return false;
    }
    if (compressed && unexpectedIndex != NONE) {
      verdict.walk().refuse(Reason.RECORD_OFFSET_UNEXPECTED, 0, unexpectedOffset, unexpectedIndex);
      verdict.locate(unexpectedIndex, unexpectedStart);
      return false;
    }
    return batchMaxTimestampMismatch(recordCount, verdict);
  }

  /** {@return true if the offsets so far are 0, 1, 2, ... or were not compared} */
  public boolean offsetsAreSequential() {
    return unexpectedIndex == NONE;
  }

  /** {@return the largest timestamp so far, in milliseconds since the epoch, at least -1} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  boolean recordKeyMissing(int index, long start, int keySize, MutableVerdict verdict) {
    return !keyRequired
        || keySize >= 0
        || fail(verdict, Reason.RECORD_KEY_MISSING, index, start, 0, 0);
  }

  boolean recordTimestampOutOfRange(int index, long start, long timestamp, MutableVerdict verdict) {
    long age = nowMs - timestamp;
    return (age <= beforeMaxMs && -age <= afterMaxMs)
        || fail(verdict, Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, index, start, timestamp, nowMs);
  }

  boolean recordTimestampTypeInvalid(
      int index, long start, long timestamp, MutableVerdict verdict) {
    return !batchIsLogAppendTime
        || fail(verdict, Reason.RECORD_TIMESTAMP_TYPE_INVALID, index, start, timestamp, 0);
  }

  /**
   * Keeps the first unexpected offset for {@link #finish}, as Kafka checks offsets after all
   * records passed.
   */
  boolean recordOffsetUnexpected(int index, long start, long offsetDelta) {
    long offset = baseOffset + offsetDelta;
    if (offset == index || unexpectedIndex != NONE) {
      return true;
    }
    unexpectedIndex = index;
    unexpectedStart = start;
    unexpectedOffset = offset;
    return false;
  }

  boolean recordOffsetOutOfOrder(int index, long start, long delta, MutableVerdict verdict) {
    long previous = previousOffsetDelta;
    previousOffsetDelta = delta;
    return (delta > previous && delta <= lastOffsetDelta)
        || fail(verdict, Reason.RECORD_OFFSET_OUT_OF_ORDER, index, start, delta, previous);
  }

  boolean batchMaxTimestampMismatch(int recordCount, MutableVerdict verdict) {
    return !maxTimestampChecked
        || recordCount == 0
        || maxTimestamp == batchMaxTimestamp
        || verdict
            .walk()
            .refuse(Reason.BATCH_MAX_TIMESTAMP_MISMATCH, 0, batchMaxTimestamp, maxTimestamp);
  }

  private static boolean fail(
      MutableVerdict verdict, Reason why, int index, long start, long first, long second) {
    verdict.walk().fail(why, index, start, first, second);
    return false;
  }
}
