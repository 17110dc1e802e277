// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.RecordEncoding;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each rule by itself: it returns true and tells nothing, or false and tells its reason. */
final class StrictRulesTest {
  private static final Policy STRICT = Policy.builder(Origin.CLIENT).level(Level.STRICT).build();
  private static final Policy COORDINATOR =
      Policy.builder(Origin.COORDINATOR).level(Level.STRICT).build();
  private static final long NOW = Batches.nowMs();
  private static final byte[] RECORD = new RecordBytes().toBytes();

  private final Decoders decoders = WindowDecoders.fastest();
  private final ByteWindow window = new ByteWindow();
  private final MutableVerdict verdict = new MutableVerdict();
  private final StrictRules rules = new StrictRules();

  @AfterEach
  void close() {
    decoders.close();
  }

  private static ByteBuffer batch() {
    return Batches.ofPlain(Codec.NONE, 1, RECORD);
  }

  private static ByteBuffer withoutRecords(Codec codec) {
    return HeaderField.LAST_OFFSET_DELTA.set(Batches.ofPayload(codec, 0, new byte[0]), 0);
  }

  private BatchHeader begin(ByteBuffer batch) {
    BatchHeader header = new BatchHeader();
    header.read(batch, 0);
    verdict.reset(Policy.CLIENT);
    rules.begin(header, STRICT, verdict);
    return header;
  }

  /** Asserts that a rule passed and added no finding. */
  private void passes(boolean returned) {
    assertTrue(returned);
    assertEquals(0, verdict.findings().count());
  }

  private void fails(Reason reason, boolean returned) {
    assertFalse(returned, reason.name());
    assertEquals(1, verdict.findings().count());
    assertEquals(reason, verdict.findings().reason(0));
    begin(batch());
  }

  @Test
  void rulesOfTheHeader() {
    BatchHeader good = begin(batch());
    passes(rules.batchAttributesReserved(7, 7));
    fails(Reason.BATCH_ATTRIBUTES_RESERVED, rules.batchAttributesReserved(8, 7));
    passes(rules.batchDeleteHorizonNotAllowed(good, STRICT));
    BatchHeader horizon = begin(HeaderField.ATTRIBUTES.set(batch(), 0x40));
    fails(
        Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED,
        rules.batchDeleteHorizonNotAllowed(horizon, STRICT));
    passes(rules.batchLogAppendTimeNotAllowed(false, STRICT));
    fails(
        Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED, rules.batchLogAppendTimeNotAllowed(true, STRICT));
    passes(rules.payloadNotEmpty(good));
    BatchHeader empty = begin(HeaderField.RECORD_COUNT.set(batch(), 0));
    fails(Reason.PAYLOAD_NOT_EMPTY, rules.payloadNotEmpty(empty));
    passes(rules.payloadStreamMissing(good));
    BatchHeader missing = begin(withoutRecords(Codec.LZ4));
    assertTrue(verdict.findings().has(Reason.PAYLOAD_STREAM_MISSING));
    verdict.reset(Policy.CLIENT);
    fails(Reason.PAYLOAD_STREAM_MISSING, rules.payloadStreamMissing(missing));
    passes(rules.payloadStreamMissing(begin(withoutRecords(Codec.NONE))));
    passes(rules.batchLastOffsetDeltaWrong(good, COORDINATOR));
    BatchHeader wrong = begin(HeaderField.LAST_OFFSET_DELTA.set(batch(), 1));
    passes(rules.batchLastOffsetDeltaWrong(wrong, STRICT));
    fails(
        Reason.BATCH_LAST_OFFSET_DELTA_WRONG, rules.batchLastOffsetDeltaWrong(wrong, COORDINATOR));
    passes(rules.batchMaxTimestampWrong(NOW));
    fails(Reason.BATCH_MAX_TIMESTAMP_WRONG, rules.batchMaxTimestampWrong(NOW + 1));
  }

  @Test
  void rulesOfARecord() {
    begin(batch());
    passes(rules.recordAttributesReserved(0));
    fails(Reason.RECORD_ATTRIBUTES_RESERVED, rules.recordAttributesReserved(1));
    passes(rules.recordNullLengthInvalid(-1));
    fails(Reason.RECORD_NULL_LENGTH_INVALID, rules.recordNullLengthInvalid(-2));
    passes(rules.recordLengthUntrue(9, 9));
    fails(Reason.RECORD_LENGTH_UNTRUE, rules.recordLengthUntrue(9, 8));
    passes(rules.recordFieldsUntrue(9, 9));
    fails(Reason.RECORD_FIELDS_UNTRUE, rules.recordFieldsUntrue(9, 8));
    passes(rules.recordTimestampOverflow(false, 1));
    fails(Reason.RECORD_TIMESTAMP_OVERFLOW, rules.recordTimestampOverflow(true, 1));
    passes(rules.recordTimestampNegative(-1));
    fails(Reason.RECORD_TIMESTAMP_NEGATIVE, rules.recordTimestampNegative(-2));
    passes(rules.recordOffsetNotSequential(0));
    fails(Reason.RECORD_OFFSET_NOT_SEQUENTIAL, rules.recordOffsetNotSequential(1));
    RecordEncoding good = form(new RecordBytes().attributes(1));
    passes(rules.recordNumberNotShortest(good));
    passes(rules.recordHeaderKeyNotUtf8(good));
    RecordEncoding bad =
        form(
            new RecordBytes()
                .headerCount(varint(1, 2))
                .header(new byte[] {(byte) 0xFF}, new byte[1]));
    fails(Reason.RECORD_NUMBER_NOT_SHORTEST, rules.recordNumberNotShortest(bad));
    fails(Reason.RECORD_HEADER_KEY_NOT_UTF8, rules.recordHeaderKeyNotUtf8(bad));
  }

  private RecordEncoding form(RecordBytes record) {
    byte[] plain = record.toBytes();
    window.wrap(plain, 0, plain.length);
    SkipKeyValueIterator records = new SkipKeyValueIterator();
    records.openStored(window, 1, plain.length, Limits.UNBOUNDED_AS_KAFKA);
    assertTrue(records.nextStrict(null));
    return records.encoding();
  }

  @Test
  void rulesOfTheStream() {
    begin(batch());
    passes(rules.payloadMessageCut(0));
    fails(Reason.PAYLOAD_MESSAGE_CUT, rules.payloadMessageCut(1));
    passes(rules.codecContentChecksumWrong(5, 5));
    fails(Reason.CODEC_CONTENT_CHECKSUM_WRONG, rules.codecContentChecksumWrong(5, 6));
    byte[] stream = Batches.compress(Codec.SNAPPY, RECORD);
    PayloadDecoder good = read(stream);
    passes(rules.codecBytesLeft(good));
    passes(rules.codecStreamAmbiguous(good));
    fails(
        Reason.CODEC_BYTES_LEFT,
        rules.codecBytesLeft(read(Arrays.copyOf(stream, stream.length + 2))));
    ByteBuffer twoHeaders = ByteBuffer.allocate(stream.length + 16).put(stream).put(stream, 0, 16);
    fails(Reason.CODEC_STREAM_AMBIGUOUS, rules.codecStreamAmbiguous(read(twoHeaders.array())));
  }

  /** Returns the decoder of a stream that it has read to its end. */
  private PayloadDecoder read(byte[] stream) {
    PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.SNAPPY));
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stream), 0, stream.length);
    decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    while (window.refill()) {
      window.position(window.limit());
    }
    return decoder;
  }
}
