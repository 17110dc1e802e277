// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.scan.SkipKeyValueIterator;

/**
 * What a single record can be refused for, and what only all of them together tell. A rule is named
 * after its {@link Reason}; it returns true if the record passes, else it has told the verdict why
 * not.
 *
 * <p>{@link #begin} reads policy and header once, so that the loop over the records compares plain
 * fields. Never allocates. Confined to one thread.
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
  private int lastOffsetDelta;
  private boolean offsetsSequential;
  private boolean offsetsAscending;

  private long maxTimestamp;
  private int previousOffsetDelta;
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
   * @param now milliseconds since the epoch
   */
  public void begin(BatchHeader header, Policy policy, long now) {
    Origin origin = policy.origin();
    keyRequired = policy.compactedTopic() && Reason.RECORD_KEY_MISSING.appliesTo(origin);
    timestampsChecked = Reason.RECORD_TIMESTAMP_OUT_OF_RANGE.appliesTo(origin);
    topicIsCreateTime = policy.timestampType() == TimestampType.CREATE_TIME;
    nowMs = now;
    beforeMaxMs = policy.timestampBeforeMaxMs();
    afterMaxMs = policy.timestampAfterMaxMs();
    batchIsLogAppendTime = header.isLogAppendTime();
    baseTimestamp = header.baseTimestamp();
    batchMaxTimestamp = header.maxTimestamp();
    baseOffset = header.baseOffset();
    lastOffsetDelta = header.lastOffsetDelta();
    offsetsSequential = header.codecId() != 0 && Reason.RECORD_OFFSET_UNEXPECTED.appliesTo(origin);
    offsetsAscending = Reason.RECORD_OFFSET_OUT_OF_ORDER.appliesTo(origin);
    maxTimestamp = NO_TIMESTAMP;
    previousOffsetDelta = NONE;
    unexpectedIndex = NONE;
  }

  /**
   * Checks one record; of a record that breaks several rules the first is told.
   *
   * @param record the iterator's current record
   * @param verdict takes note of a failing record
   */
  public void check(SkipKeyValueIterator record, Verdict verdict) {
    long timestamp =
        batchIsLogAppendTime ? batchMaxTimestamp : baseTimestamp + record.timestampDelta();
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    if (recordKeyMissing(record, verdict)) {
      checkTimestamp(record, timestamp, verdict);
    }
    if (offsetsSequential) {
      recordOffsetUnexpected(record);
    } else if (offsetsAscending) {
      recordOffsetOutOfOrder(record, verdict);
    }
  }

  private void checkTimestamp(SkipKeyValueIterator record, long timestamp, Verdict verdict) {
    if (!timestampsChecked) {
      return;
    }
    if (topicIsCreateTime && timestamp != NO_TIMESTAMP) {
      recordTimestampOutOfRange(record, timestamp, verdict);
    } else {
      recordTimestampTypeInvalid(record, timestamp, verdict);
    }
  }

  /**
   * Ends a batch whose records were all read.
   *
   * @return true if neither a record nor all of them together broke a rule
   * @param recordCount how many there were
   * @param verdict is told what only the whole batch shows
   */
  public boolean finish(int recordCount, Verdict verdict) {
    if (verdict.reason() != null) {
      return false;
    }
    if (unexpectedIndex != NONE) {
      verdict.refuse(Reason.RECORD_OFFSET_UNEXPECTED, 0, unexpectedOffset, unexpectedIndex);
      verdict.locate(unexpectedIndex, unexpectedStart);
      return false;
    }
    return batchMaxTimestampMismatch(recordCount, verdict);
  }

  /** {@return the largest timestamp so far, in milliseconds since the epoch, at least -1} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  boolean recordKeyMissing(SkipKeyValueIterator record, Verdict verdict) {
    return !keyRequired
        || record.keySize() >= 0
        || fail(verdict, Reason.RECORD_KEY_MISSING, record, 0, 0);
  }

  boolean recordTimestampOutOfRange(SkipKeyValueIterator record, long timestamp, Verdict verdict) {
    long age = nowMs - timestamp;
    return (age <= beforeMaxMs && -age <= afterMaxMs)
        || fail(verdict, Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, record, timestamp, nowMs);
  }

  boolean recordTimestampTypeInvalid(SkipKeyValueIterator record, long timestamp, Verdict verdict) {
    return !batchIsLogAppendTime
        || fail(verdict, Reason.RECORD_TIMESTAMP_TYPE_INVALID, record, timestamp, 0);
  }

  /** Only remembered: Kafka comes to it when every record has passed. */
  boolean recordOffsetUnexpected(SkipKeyValueIterator record) {
    long offset = baseOffset + record.offsetDelta();
    if (offset == record.index() || unexpectedIndex != NONE) {
      return true;
    }
    unexpectedIndex = record.index();
    unexpectedStart = record.start();
    unexpectedOffset = offset;
    return false;
  }

  boolean recordOffsetOutOfOrder(SkipKeyValueIterator record, Verdict verdict) {
    int delta = record.offsetDelta();
    int previous = previousOffsetDelta;
    previousOffsetDelta = delta;
    return (delta > previous && delta <= lastOffsetDelta)
        || fail(verdict, Reason.RECORD_OFFSET_OUT_OF_ORDER, record, delta, previous);
  }

  boolean batchMaxTimestampMismatch(int recordCount, Verdict verdict) {
    return !offsetsAscending
        || batchIsLogAppendTime
        || recordCount == 0
        || maxTimestamp == batchMaxTimestamp
        || verdict.refuse(Reason.BATCH_MAX_TIMESTAMP_MISMATCH, 0, batchMaxTimestamp, maxTimestamp);
  }

  private static boolean fail(
      Verdict verdict, Reason why, SkipKeyValueIterator record, long first, long second) {
    verdict.fail(why, record.index(), record.start(), first, second);
    return false;
  }
}
