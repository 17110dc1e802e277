// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.check;

import io.github.batchvalidator.codec.PayloadDecoder;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.scan.RecordForm;
import io.github.batchvalidator.scan.SkipKeyValueIterator;

/**
 * What Kafka lets pass and {@link Level#STRICT} does not. A rule is named after its {@link Reason};
 * it returns true if the batch or record passes, else it has told the findings why not. All rules
 * are looked at, so that the findings name every fault of the batch.
 *
 * <p>Called beside the other rules and never instead of them. A record that is written as Kafka
 * writes it costs a few comparisons. Never allocates. Confined to one thread.
 */
public final class StrictRules {
  private static final long NO_TIMESTAMP = -1;
  private static final int NULL_LENGTH = -1;

  private Findings findings = new Verdict(0).findings();
  private int records;
  private boolean plain;
  private boolean timestampsChecked;
  private boolean offsetsSequential;
  private long baseTimestamp;
  private long batchMaxTimestamp;
  private boolean maxTimestampChecked;

  /** Creates rules without a batch. */
  public StrictRules() {}

  /**
   * Starts a batch and looks at its header, which broke no other rule.
   *
   * @param header of the batch, 61 bytes
   * @param policy decides which rules apply
   * @param verdict takes the findings; kept until the next start
   */
  public void begin(BatchHeader header, Policy policy, Verdict verdict) {
    findings = verdict.findings();
    records = BatchLayout.HEADER_BYTES;
    plain = header.codecId() == Codec.NONE.id();
    timestampsChecked = !header.isLogAppendTime();
    offsetsSequential = plain && Reason.RECORD_OFFSET_NOT_SEQUENTIAL.appliesTo(policy.origin());
    baseTimestamp = header.baseTimestamp();
    batchMaxTimestamp = header.maxTimestamp();
    maxTimestampChecked =
        timestampsChecked && Reason.BATCH_MAX_TIMESTAMP_WRONG.appliesTo(policy.origin());
    batchAttributesReserved(header.attributes());
    batchDeleteHorizonNotAllowed(header, policy);
    batchLogAppendTimeNotAllowed(header, policy);
    payloadNotEmpty(header);
  }

  /**
   * Checks the record that {@link SkipKeyValueIterator#nextStrict} moved to.
   *
   * @param record the iterator
   */
  public void check(SkipKeyValueIterator record) {
    long delta = record.timestampDelta();
    long timestamp = baseTimestamp + delta;
    // Kafka's own writer lets this wrap behind a first record without timestamp, which is -1.
    boolean overflows =
        ((baseTimestamp ^ timestamp) & (delta ^ timestamp)) < 0 && baseTimestamp != NO_TIMESTAMP;
    if (!record.form().isRegular()
        || (timestampsChecked && (timestamp < NO_TIMESTAMP || overflows))
        || (offsetsSequential && record.offsetDelta() != record.index())) {
      checkEach(record, timestamp, overflows);
    }
  }

  private void checkEach(SkipKeyValueIterator record, long timestamp, boolean overflows) {
    RecordForm form = record.form();
    if (!form.isRegular()) {
      recordNumberNotShortest(form, record);
      recordAttributesReserved(record);
      recordNullLengthInvalid(form, record);
      recordHeaderKeyNotUtf8(form, record);
      recordLengthUntrue(form, record);
    }
    if (timestampsChecked) {
      recordTimestampOverflow(overflows, record);
      recordTimestampNegative(overflows ? NO_TIMESTAMP : timestamp, record);
    }
    recordOffsetNotSequential(record);
  }

  /**
   * Ends a batch whose records could all be read.
   *
   * @param decoder has read the stream to its end
   * @param maxTimestamp of the records, at least -1
   */
  public void finish(PayloadDecoder decoder, long maxTimestamp) {
    codecBytesLeft(decoder);
    codecStreamAmbiguous(decoder);
    batchMaxTimestampWrong(maxTimestamp);
  }

  boolean batchAttributesReserved(int attributes) {
    return (attributes & ~BatchLayout.KNOWN_ATTRIBUTES_MASK) == 0
        || findings.add(Reason.BATCH_ATTRIBUTES_RESERVED, 0, attributes & 0xFFFF, 0);
  }

  boolean batchDeleteHorizonNotAllowed(BatchHeader header, Policy policy) {
    return (header.attributes() & BatchLayout.DELETE_HORIZON_MASK) == 0
        || !Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED.appliesTo(policy.origin())
        || findings.add(Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED, 0, header.baseTimestamp(), 0);
  }

  boolean batchLogAppendTimeNotAllowed(BatchHeader header, Policy policy) {
    return !header.isLogAppendTime()
        || policy.timestampType() != TimestampType.CREATE_TIME
        || !Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED.appliesTo(policy.origin())
        || findings.add(Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED, 0, header.maxTimestamp(), 0);
  }

  boolean payloadNotEmpty(BatchHeader header) {
    int bytes = header.sizeInBytes() - BatchLayout.HEADER_BYTES;
    return header.recordCount() != 0
        || bytes == 0
        || findings.add(Reason.PAYLOAD_NOT_EMPTY, BatchLayout.HEADER_BYTES, bytes, 0);
  }

  boolean recordNumberNotShortest(RecordForm form, SkipKeyValueIterator record) {
    return form.isShortest() || add(Reason.RECORD_NUMBER_NOT_SHORTEST, record, 0, 0);
  }

  boolean recordAttributesReserved(SkipKeyValueIterator record) {
    return record.attributes() == 0
        || add(Reason.RECORD_ATTRIBUTES_RESERVED, record, record.attributes(), 0);
  }

  boolean recordNullLengthInvalid(RecordForm form, SkipKeyValueIterator record) {
    return form.leastLength() >= NULL_LENGTH
        || add(Reason.RECORD_NULL_LENGTH_INVALID, record, form.leastLength(), 0);
  }

  boolean recordHeaderKeyNotUtf8(RecordForm form, SkipKeyValueIterator record) {
    return form.malformedHeader() == RecordForm.NONE
        || add(Reason.RECORD_HEADER_KEY_NOT_UTF8, record, form.malformedHeader(), 0);
  }

  boolean recordLengthUntrue(RecordForm form, SkipKeyValueIterator record) {
    return form.bodyBytes() == record.bodySize()
        || add(Reason.RECORD_LENGTH_UNTRUE, record, record.bodySize(), form.bodyBytes());
  }

  boolean recordTimestampOverflow(boolean overflows, SkipKeyValueIterator record) {
    return !overflows
        || add(Reason.RECORD_TIMESTAMP_OVERFLOW, record, baseTimestamp, record.timestampDelta());
  }

  boolean recordTimestampNegative(long timestamp, SkipKeyValueIterator record) {
    return timestamp >= NO_TIMESTAMP || add(Reason.RECORD_TIMESTAMP_NEGATIVE, record, timestamp, 0);
  }

  boolean recordOffsetNotSequential(SkipKeyValueIterator record) {
    return !offsetsSequential
        || record.offsetDelta() == record.index()
        || add(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, record, record.offsetDelta(), record.index());
  }

  boolean codecBytesLeft(PayloadDecoder decoder) {
    int bytes = decoder.bytesBehindEnd();
    return bytes == 0 || findings.add(Reason.CODEC_BYTES_LEFT, records, bytes, 0);
  }

  boolean codecStreamAmbiguous(PayloadDecoder decoder) {
    return !decoder.isAmbiguous() || findings.add(Reason.CODEC_STREAM_AMBIGUOUS, records, 0, 0);
  }

  boolean batchMaxTimestampWrong(long maxTimestamp) {
    return !maxTimestampChecked
        || maxTimestamp == batchMaxTimestamp
        || findings.add(Reason.BATCH_MAX_TIMESTAMP_WRONG, 0, batchMaxTimestamp, maxTimestamp);
  }

  /** Inside of a compressed payload nobody can say where a single record lies. */
  private boolean add(Reason why, SkipKeyValueIterator record, long first, long second) {
    int position = plain ? records + (int) record.start() : records;
    return findings.add(why, position, record.index(), record.start(), first, second);
  }
}
