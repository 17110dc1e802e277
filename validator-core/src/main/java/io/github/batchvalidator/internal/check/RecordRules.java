// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.LegacyHeader;
import io.github.batchvalidator.internal.format.LegacyLayout;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;

/**
 * What a single record can be refused for, and what only all of them together tell. A rule is named
 * after its {@link Reason}; it returns true if the record passes, else it has told the verdict why
 * not.
 *
 * <p>{@code begin} reads policy and header once, so that the loop over the records compares plain
 * fields. A record is told by the numbers that matter, whichever iterator read them. Never
 * allocates. Confined to one thread.
 */
public final class RecordRules {
  /** A record without a timestamp has this one. */
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

  /** Creates rules without a batch. */
  public RecordRules() {}

  /**
   * Starts a batch.
   *
   * @param header of the batch, 61 bytes
   * @param policy decides which rules apply
   * @param keepsOffsets true if the records keep their offsets: no rebuild is known to be needed
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
   * Starts a message of magic 0 or 1, whose records have timestamps and not differences of them.
   *
   * @param message not compressed, or the one that holds others
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
    maxTimestamp = NO_TIMESTAMP;
    previousOffsetDelta = NONE;
    unexpectedIndex = NONE;
  }

  /** {@return true if a record without a key fails} */
  public boolean isKeyRequired() {
    return keyRequired;
  }

  /**
   * Checks one record by itself; of a record that breaks several rules the first is told.
   *
   * @param index of the record in the batch
   * @param start where the record starts, in plain bytes from the first one
   * @param timestampDelta less the batch's base timestamp; of magic 0 and 1 the timestamp
   * @param keySize in bytes, negative if there is no key
   * @param verdict takes note of a failing record
   * @return false if the record fails, whose caller tells the verdict the rest of what it is
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
   * Checks the offset of one record that is to stay as it is: not where a batch is written anew,
   * which numbers the records.
   *
   * @param index of the record in the batch
   * @param start where the record starts, in plain bytes from the first one
   * @param offsetDelta less the batch's base offset; of magic 0 and 1 the offset as it is stored
   * @param verdict takes note of a failing record
   */
  public void checkOffset(int index, long start, long offsetDelta, MutableVerdict verdict) {
    if (offsetsSequential) {
      recordOffsetUnexpected(index, start, offsetDelta);
    } else if (offsetsAscending) {
      recordOffsetOutOfOrder(index, start, offsetDelta, verdict);
    }
  }

  /**
   * Ends a batch whose records were all read.
   *
   * @return true if neither a record nor all of them together broke a rule
   * @param recordCount how many there were
   * @param verdict is told what only the whole batch shows
   */
  public boolean finish(int recordCount, MutableVerdict verdict) {
    if (verdict.reason() != null) {
      return false;
    }
    if (compressed && unexpectedIndex != NONE) {
      verdict.refuse(Reason.RECORD_OFFSET_UNEXPECTED, 0, unexpectedOffset, unexpectedIndex);
      verdict.locate(unexpectedIndex, unexpectedStart);
      return false;
    }
    return batchMaxTimestampMismatch(recordCount, verdict);
  }

  /** {@return true if the offsets so far are 0, 1, 2, ..., or if they were not compared} */
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

  /** Only remembered: Kafka comes to it when every record has passed. */
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
        || verdict.refuse(Reason.BATCH_MAX_TIMESTAMP_MISMATCH, 0, batchMaxTimestamp, maxTimestamp);
  }

  private static boolean fail(
      MutableVerdict verdict, Reason why, int index, long start, long first, long second) {
    verdict.fail(why, index, start, first, second);
    return false;
  }
}
