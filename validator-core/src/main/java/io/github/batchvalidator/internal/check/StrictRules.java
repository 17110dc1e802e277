// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.scan.RecordEncoding;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.verdict.MutableFindings;
import io.github.batchvalidator.verdict.MutableVerdict;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@link Level#STRICT}, which Kafka does not have. A rule is named after its {@link
 * Reason}. It returns true if the batch or record passes; otherwise it adds a finding and returns
 * false. All rules are checked, so that the findings name every fault of the batch.
 *
 * <p>Called in addition to the other rules, never instead of them. A record written as Kafka writes
 * it costs a few comparisons. Never allocates. Confined to one thread.
 */
public final class StrictRules {
  private static final long NO_TIMESTAMP = -1;

  private MutableFindings findings = new MutableVerdict(0).findings();
  private int payloadAt;
  private boolean plain;
  private boolean timestampsChecked;

  /**
   * True if no delta of a {@linkplain RecordEncoding#isRegular regular} record can lead to a bad
   * timestamp.
   */
  private boolean regularTimestampsPass;

  private boolean offsetsSequential;
  private long baseTimestamp;
  private long batchMaxTimestamp;
  private boolean maxTimestampChecked;

  private int index;
  private long start;

  public StrictRules() {}

  /**
   * Starts a batch and checks its header, which passed all other rules.
   *
   * @param header of the batch, 61 bytes
   * @param policy decides which rules apply
   * @param verdict takes the findings; kept until the next start
   */
  public void begin(BatchHeader header, Policy policy, MutableVerdict verdict) {
    begin(header.codecId(), header.isLogAppendTime(), policy, verdict);
    payloadAt = BatchLayout.HEADER_BYTES;
    offsetsSequential = Reason.RECORD_OFFSET_NOT_SEQUENTIAL.appliesTo(policy.origin());
    baseTimestamp = header.baseTimestamp();
    regularTimestampsPass =
        !timestampsChecked
            || (baseTimestamp >= RecordEncoding.MOST_REGULAR_DELTA
                && baseTimestamp <= Long.MAX_VALUE - RecordEncoding.MOST_REGULAR_DELTA);
    batchMaxTimestamp = header.maxTimestamp();
    batchAttributesReserved(header.attributes() & 0xFFFF, BatchLayout.KNOWN_ATTRIBUTES_MASK);
    batchDeleteHorizonNotAllowed(header, policy);
    batchLogAppendTimeNotAllowed(header.isLogAppendTime(), policy);
    payloadNotEmpty(header);
    payloadStreamMissing(header);
    batchLastOffsetDeltaWrong(header, policy);
  }

  /**
   * Starts a message of magic 0 or 1 and checks it. Messages in a compressed message are not
   * checked here.
   *
   * @param message passed all other rules
   * @param policy decides which rules apply
   * @param verdict takes the findings; kept until the next start
   */
  public void begin(LegacyHeader message, Policy policy, MutableVerdict verdict) {
    begin(message.codecId(), message.isLogAppendTime(), policy, verdict);
    payloadAt = 0;
    baseTimestamp = 0;
    batchMaxTimestamp = message.timestamp();
    maxTimestampChecked &= !plain;
    batchAttributesReserved(message.attributes() & 0xFF, knownAttributes(message.magic()));
    batchLogAppendTimeNotAllowed(message.isLogAppendTime(), policy);
    index = plain ? 0 : MutableVerdict.NO_RECORD;
    start = plain ? 0 : -1;
    long end = message.fieldsEnd();
    recordFieldsUntrue(message.sizeInBytes(), end);
    if (end <= message.sizeInBytes()) {
      recordNullLengthInvalid(Math.min(message.keySize(), message.valueSize()));
    }
    if (timestampsChecked) {
      recordTimestampNegative(message.timestamp());
    }
    payloadAt = plain ? 0 : (int) message.valueSizeEnd();
  }

  private void begin(int codecId, boolean isLogAppendTime, Policy policy, MutableVerdict verdict) {
    findings = verdict.findings();
    plain = codecId == Codec.NONE.id();
    timestampsChecked = !isLogAppendTime;
    maxTimestampChecked =
        timestampsChecked && Reason.BATCH_MAX_TIMESTAMP_WRONG.appliesTo(policy.origin());
    offsetsSequential = false;
  }

  private static int knownAttributes(byte magic) {
    return magic == LegacyLayout.MAGIC_V0
        ? BatchLayout.CODEC_MASK
        : LegacyLayout.KNOWN_ATTRIBUTES_MASK;
  }

  /**
   * Checks the record that {@link SkipKeyValueIterator#nextStrict} moved to.
   *
   * @param record the iterator
   */
  public void check(SkipKeyValueIterator record) {
    if (!record.encoding().isRegular()
        || !regularTimestampsPass
        || (offsetsSequential && record.offsetDelta() != record.index())) {
      checkEach(record);
    }
  }

  /**
   * Checks a message in a compressed message.
   *
   * @param message the iterator's current message
   */
  public void check(LegacyMessageIterator message) {
    index = message.index();
    start = message.start();
    int known = knownAttributes(message.magic());
    recordAttributesReserved(message.attributes() & ~known);
    long end = message.fieldsEnd();
    recordFieldsUntrue(message.size(), end);
    if (end <= message.size()) {
      recordNullLengthInvalid(Math.min(message.keySize(), message.valueSize()));
    }
    if (timestampsChecked) {
      recordTimestampNegative(message.timestamp());
    }
  }

  private void checkEach(SkipKeyValueIterator record) {
    index = record.index();
    start = record.start();
    RecordEncoding encoding = record.encoding();
    if (!encoding.isRegular()) {
      recordNumberNotShortest(encoding);
      recordAttributesReserved(record.attributes());
      recordNullLengthInvalid(encoding.leastLength());
      recordHeaderKeyNotUtf8(encoding);
      recordLengthUntrue(record.bodySize(), encoding.bodyBytes());
    }
    if (timestampsChecked) {
      checkTimestamp(record.timestampDelta());
    }
    recordOffsetNotSequential(record.offsetDelta());
  }

  private void checkTimestamp(long delta) {
    long timestamp = baseTimestamp + delta;
    // Kafka's writer lets this wrap if the first record has no timestamp: the base is then -1.
    boolean overflows =
        ((baseTimestamp ^ timestamp) & (delta ^ timestamp)) < 0 && baseTimestamp != NO_TIMESTAMP;
    recordTimestampOverflow(overflows, delta);
    recordTimestampNegative(overflows ? NO_TIMESTAMP : timestamp);
  }

  /**
   * Ends a batch after all records were read.
   *
   * @param decoder has read the stream to its end; null if there is no stream
   * @param maxTimestamp of the records, at least -1
   */
  public void finish(@Nullable PayloadDecoder decoder, long maxTimestamp) {
    if (decoder != null) {
      codecBytesLeft(decoder);
      codecStreamAmbiguous(decoder);
      codecContentChecksumWrong(decoder.storedContentHash(), decoder.computedContentHash());
    }
    batchMaxTimestampWrong(maxTimestamp);
  }

  /**
   * Ends a compressed message of magic 0 or 1 after all its messages were read.
   *
   * @param messages after the last message
   * @param decoder has read the stream as far as it contains messages
   * @param maxTimestamp of the messages, at least -1
   */
  public void finish(
      LegacyMessageIterator messages, @Nullable PayloadDecoder decoder, long maxTimestamp) {
    payloadMessageCut(messages.droppedBytes());
    finish(decoder, maxTimestamp);
  }

  boolean batchAttributesReserved(int attributes, int known) {
    return (attributes & ~known) == 0
        || findings.add(Reason.BATCH_ATTRIBUTES_RESERVED, 0, attributes, 0);
  }

  boolean batchDeleteHorizonNotAllowed(BatchHeader header, Policy policy) {
    return (header.attributes() & BatchLayout.DELETE_HORIZON_MASK) == 0
        || !Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED.appliesTo(policy.origin())
        || findings.add(Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED, 0, header.baseTimestamp(), 0);
  }

  boolean batchLogAppendTimeNotAllowed(boolean isLogAppendTime, Policy policy) {
    return !isLogAppendTime
        || policy.target().timestampType() != TimestampType.CREATE_TIME
        || !Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED.appliesTo(policy.origin())
        || findings.add(Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED, 0, batchMaxTimestamp, 0);
  }

  boolean payloadNotEmpty(BatchHeader header) {
    int bytes = header.sizeInBytes() - BatchLayout.HEADER_BYTES;
    return header.recordCount() != 0
        || bytes == 0
        || findings.add(Reason.PAYLOAD_NOT_EMPTY, BatchLayout.HEADER_BYTES, bytes, 0);
  }

  boolean payloadStreamMissing(BatchHeader header) {
    return header.recordCount() != 0
        || header.sizeInBytes() > BatchLayout.HEADER_BYTES
        || plain
        || findings.add(
            Reason.PAYLOAD_STREAM_MISSING, BatchLayout.HEADER_BYTES, header.codecId(), 0);
  }

  boolean batchLastOffsetDeltaWrong(BatchHeader header, Policy policy) {
    int delta = header.lastOffsetDelta();
    int count = header.recordCount();
    return (count == 0 ? delta >= 0 : delta == count - 1)
        || !Reason.BATCH_LAST_OFFSET_DELTA_WRONG.appliesTo(policy.origin())
        || findings.add(Reason.BATCH_LAST_OFFSET_DELTA_WRONG, 0, delta, count);
  }

  boolean recordNumberNotShortest(RecordEncoding encoding) {
    return encoding.isShortest() || add(Reason.RECORD_NUMBER_NOT_SHORTEST, 0, 0);
  }

  boolean recordAttributesReserved(int attributes) {
    return attributes == 0 || add(Reason.RECORD_ATTRIBUTES_RESERVED, attributes, 0);
  }

  boolean recordNullLengthInvalid(int leastLength) {
    return leastLength >= RecordLayout.NULL_LENGTH
        || add(Reason.RECORD_NULL_LENGTH_INVALID, leastLength, 0);
  }

  boolean recordHeaderKeyNotUtf8(RecordEncoding encoding) {
    return encoding.malformedHeader() == RecordEncoding.NONE
        || add(Reason.RECORD_HEADER_KEY_NOT_UTF8, encoding.malformedHeader(), 0);
  }

  boolean recordLengthUntrue(int declared, long taken) {
    return taken == declared || add(Reason.RECORD_LENGTH_UNTRUE, declared, taken);
  }

  boolean recordFieldsUntrue(int size, long fieldsEnd) {
    return fieldsEnd == size || add(Reason.RECORD_FIELDS_UNTRUE, size, fieldsEnd);
  }

  boolean recordTimestampOverflow(boolean overflows, long delta) {
    return !overflows || add(Reason.RECORD_TIMESTAMP_OVERFLOW, baseTimestamp, delta);
  }

  boolean recordTimestampNegative(long timestamp) {
    return timestamp >= NO_TIMESTAMP || add(Reason.RECORD_TIMESTAMP_NEGATIVE, timestamp, 0);
  }

  boolean recordOffsetNotSequential(int delta) {
    return !offsetsSequential
        || delta == index
        || add(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, delta, index);
  }

  boolean payloadMessageCut(long droppedBytes) {
    return droppedBytes == 0
        || findings.add(Reason.PAYLOAD_MESSAGE_CUT, payloadAt, droppedBytes, 0);
  }

  boolean codecBytesLeft(PayloadDecoder decoder) {
    int bytes = decoder.bytesBehindEnd();
    return bytes == 0 || findings.add(Reason.CODEC_BYTES_LEFT, payloadAt, bytes, 0);
  }

  boolean codecStreamAmbiguous(PayloadDecoder decoder) {
    return !decoder.isAmbiguous() || findings.add(Reason.CODEC_STREAM_AMBIGUOUS, payloadAt, 0, 0);
  }

  boolean codecContentChecksumWrong(int stored, int computed) {
    return stored == computed
        || findings.add(
            Reason.CODEC_CONTENT_CHECKSUM_WRONG,
            payloadAt,
            Integer.toUnsignedLong(stored),
            Integer.toUnsignedLong(computed));
  }

  boolean batchMaxTimestampWrong(long maxTimestamp) {
    return !maxTimestampChecked
        || maxTimestamp == batchMaxTimestamp
        || findings.add(Reason.BATCH_MAX_TIMESTAMP_WRONG, 0, batchMaxTimestamp, maxTimestamp);
  }

  /** Adds a finding. The position of a record inside a compressed payload is unknown. */
  private boolean add(Reason why, long first, long second) {
    int position = plain ? payloadAt + (int) start : payloadAt;
    return findings.add(why, position, index, start, first, second);
  }
}
