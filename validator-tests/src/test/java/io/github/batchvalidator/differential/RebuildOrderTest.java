// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rebuild of a batch with two faults reports the same one as Kafka. */
final class RebuildOrderTest {
  private static final int FIRST_OFFSET = 3;
  private static final int SIZE_TOO_SMALL = 3;
  private static final long WINDOW_MS = 1000;

  private final RebuildReferee referee = new RebuildReferee();

  @AfterEach
  void close() {
    referee.close();
  }

  private static Task task(TimestampType type, int toMagic, Codec target) {
    return new Task(Task.policy(Origin.CLIENT, type, WINDOW_MS, 1, toMagic), target, FIRST_OFFSET);
  }

  private static Task task(int toMagic, Codec target) {
    return task(TimestampType.CREATE_TIME, toMagic, target);
  }

  private void refused(Reason expected, Task task, byte[] bytes, @Nullable Codec said) {
    assertEquals(0, referee.judge(task, BufferKind.HEAP, bytes, said));
    assertEquals(expected, referee.verdict().reason());
  }

  /** A broker looks at the checksum before its validator reads a record. */
  @Test
  void theChecksumIsCheckedFirst() {
    byte[] damaged = batch(Codec.NONE, record(5), record(6));
    damaged[BatchLayout.HEADER_BYTES]++;
    Policy policy =
        Policy.builder(Origin.CLIENT).target(Target.PRODUCER.withMagic((byte) 1)).build();
    for (Codec target : List.of(Codec.NONE, Codec.GZIP)) {
      refused(Reason.BATCH_CRC_MISMATCH, new Task(policy, target, FIRST_OFFSET), damaged);
    }
  }

  private void refused(Reason expected, Task task, byte[] bytes) {
    refused(expected, task, bytes, null);
  }

  private void rebuilt(int records, Task task, byte[] bytes) {
    assertEquals(1, referee.judge(task, BufferKind.HEAP, bytes, null), referee.verdict()::toString);
    assertEquals(records, referee.rebuilder().rebuiltRecords());
  }

  private static byte[] batch(Codec codec, SimpleRecord... records) {
    return Batches.ofAny(codec, List.of(records)).array();
  }

  private static SimpleRecord record(long timestamp) {
    long absolute = timestamp < 0 ? timestamp : Batches.nowMs() + timestamp;
    return new SimpleRecord(absolute, new byte[] {1}, new byte[9]);
  }

  private static byte[] with(HeaderField field, long value, byte[] batch) {
    byte[] changed = batch.clone();
    field.set(ByteBuffer.wrap(changed), value);
    return Batches.fixCrc(ByteBuffer.wrap(changed)).array();
  }

  /** Returns the batch with a fault that is the first one checked once its records can be read. */
  private static byte[] withWrongOffsets(byte[] batch) {
    return with(HeaderField.LAST_OFFSET_DELTA, 9, batch);
  }

  /** Returns the batch followed by bytes whose length field is too small. */
  private static byte[] andNoBatch(byte[] batch) {
    ByteBuffer bad = ByteBuffer.allocate(100).putInt(BatchLayout.LENGTH_OFFSET, SIZE_TOO_SMALL);
    return Bytes.concat(batch, bad.array());
  }

  private static LegacyMessage sound() {
    return LegacyMessage.of(1);
  }

  private static LegacyMessage tooOld() {
    return LegacyMessage.of(1).timestamp(1);
  }

  @Test
  void aFramingFaultPrecedesFaultsOfEarlierBatches() {
    byte[] plain = andNoBatch(tooOld().toBytes());
    refused(Reason.FRAMING_LENGTH_TOO_SMALL, task(2, Codec.NONE), plain);
    byte[] compressed = withWrongOffsets(batch(Codec.LZ4, record(0)));
    refused(Reason.FRAMING_LENGTH_TOO_SMALL, task(2, Codec.GZIP), andNoBatch(compressed));
  }

  @Test
  void compressingReportsTheEarlierMessageBeforeAFramingFault() {
    Task task = task(2, Codec.GZIP);
    refused(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, task, andNoBatch(tooOld().toBytes()));
    refused(Reason.FRAMING_LENGTH_TOO_SMALL, task, andNoBatch(sound().toBytes()));
  }

  @Test
  void withoutCompressionUnreadableRecordsAreReportedFirst() {
    byte[] plain = batch(Codec.NONE, record(0));
    plain[plain.length - 1] = 1; // -1 headers
    refused(Reason.RECORD_HEADER_COUNT_INVALID, task(1, Codec.NONE), withWrongOffsets(plain));
    assertEquals(plain.length, referee.verdict().batchBytes());
    refused(Reason.BATCH_COUNT_MISMATCH, task(1, Codec.GZIP), withWrongOffsets(plain));
    assertEquals(plain.length, referee.verdict().batchBytes());
  }

  @Test
  void withoutCompressionUnreadableMessagesAreReportedFirst() {
    LegacyMessage beyond = tooOld().valueSizeError(1);
    refused(Reason.RECORD_FIELD_BEYOND_END, task(2, Codec.NONE), beyond.toBytes());
    refused(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, task(2, Codec.GZIP), beyond.toBytes());
    byte[] holding = LegacyMessage.holding(1, Codec.GZIP, tooOld(), beyond.offset(1)).toBytes();
    refused(Reason.RECORD_FIELD_BEYOND_END, task(2, Codec.NONE), holding, Codec.NONE);
  }

  @Test
  void withoutCompressionAnUnknownCodecIsReportedFirst() {
    byte[] odd = with(HeaderField.ATTRIBUTES, 7, withWrongOffsets(batch(Codec.NONE, record(0))));
    refused(Reason.BATCH_CODEC_UNKNOWN, task(1, Codec.NONE), odd, Codec.NONE);
    refused(Reason.BATCH_COUNT_MISMATCH, task(1, Codec.GZIP), odd, Codec.NONE);
  }

  @Test
  void aBatchMayEndWithItsHeader() {
    byte[] header = Arrays.copyOf(batch(Codec.NONE, record(1)), BatchLayout.HEADER_BYTES);
    int length = BatchLayout.HEADER_BYTES - BatchLayout.LOG_OVERHEAD;
    byte[] empty = with(HeaderField.RECORD_COUNT, 0, with(HeaderField.LENGTH, length, header));
    byte[] lacking = with(HeaderField.RECORD_COUNT, 1, empty);
    refused(Reason.PAYLOAD_RECORDS_MISSING, task(1, Codec.NONE), lacking);
    byte[] shorter = Arrays.copyOf(lacking, lacking.length - 1);
    HeaderField.LENGTH.set(ByteBuffer.wrap(shorter), length - 1);
    refused(Reason.BATCH_HEADER_INCOMPLETE, task(1, Codec.NONE), shorter);
  }

  private void nothingIsMade(TimestampType type, int toMagic, Codec target, byte[] of, Codec said) {
    Policy policy = Task.policy(Origin.COORDINATOR, type, WINDOW_MS, 1, toMagic);
    Task task = new Task(policy, target, FIRST_OFFSET);
    assertEquals(1, referee.judge(task, BufferKind.HEAP, of, said), referee.verdict()::toString);
    assertEquals(0, referee.rebuilder().rebuiltRecords());
  }

  @Test
  void aBatchWithoutRecordsBecomesNoBatch() {
    byte[] none = Batches.ofAny(Codec.LZ4, List.of()).array();
    for (int toMagic = 0; toMagic <= 2; toMagic++) {
      nothingIsMade(TimestampType.CREATE_TIME, toMagic, Codec.GZIP, none, Codec.LZ4);
      nothingIsMade(TimestampType.CREATE_TIME, toMagic, Codec.NONE, none, Codec.LZ4);
    }
    nothingIsMade(TimestampType.LOG_APPEND_TIME, 1, Codec.NONE, none, Codec.LZ4);
    byte[] plain = Batches.ofAny(Codec.NONE, List.of()).array();
    nothingIsMade(TimestampType.CREATE_TIME, 1, Codec.NONE, plain, Codec.NONE);
  }

  @Test
  void theStreamOfNoRecordsIsOpenedOnlyToCompress() {
    byte[] none = Batches.ofAny(Codec.LZ4, List.of()).array();
    none[BatchLayout.HEADER_BYTES] ^= 1;
    Batches.fixCrc(ByteBuffer.wrap(none));
    Policy policy = Task.policy(Origin.COORDINATOR, TimestampType.CREATE_TIME, WINDOW_MS, 1, 2);
    Task task = new Task(policy, Codec.GZIP, FIRST_OFFSET);
    refused(Reason.CODEC_HEADER_INVALID, task, none);
    nothingIsMade(TimestampType.CREATE_TIME, 1, Codec.NONE, none, Codec.NONE);
  }

  private void stumbles(Reason expected, int toMagic, Codec target, long first, byte[] batch) {
    Policy policy =
        Task.policy(Origin.COORDINATOR, TimestampType.CREATE_TIME, Long.MAX_VALUE, 1, toMagic);
    refused(expected, new Task(policy, target, first), batch);
    assertEquals(1, referee.rebuilder().rebuiltRecords());
  }

  @Test
  void aRecordThatCannotBeWrittenEndsTheRebuild() {
    SimpleRecord[] negative = {record(5), record(-2), record(6)};
    Reason why = Reason.REBUILD_TIMESTAMP_NEGATIVE;
    stumbles(why, 2, Codec.GZIP, FIRST_OFFSET, batch(Codec.LZ4, negative));
    stumbles(why, 1, Codec.NONE, FIRST_OFFSET, batch(Codec.NONE, negative));

    byte[] sound = batch(Codec.LZ4, record(5), record(6), record(7));
    stumbles(Reason.REBUILD_OFFSET_OVERFLOW, 2, Codec.GZIP, Long.MAX_VALUE, sound);

    SimpleRecord withHeader =
        new SimpleRecord(
            Batches.nowMs(), (byte[]) null, null, new Header[] {new RecordHeader("h", null)});
    byte[] headers = batch(Codec.LZ4, record(5), withHeader, record(6));
    stumbles(Reason.REBUILD_HEADERS_UNSUPPORTED, 1, Codec.GZIP, FIRST_OFFSET, headers);
  }

  /** Kafka reads past the last record before it returns that record. */
  @Test
  void bytesAfterTheLastRecordPrecedeItsFaults() {
    Policy compacted = Task.policy(Origin.CLIENT, TimestampType.CREATE_TIME, WINDOW_MS, 0, 2);
    SimpleRecord keyless = new SimpleRecord(Batches.nowMs(), new byte[9]);
    byte[] records = Batches.plainRecords(record(1), keyless);
    byte[] longer = Arrays.copyOf(records, records.length + 1);
    byte[] both = Batches.ofPlain(Codec.LZ4, 2, longer).array();
    Task task = new Task(compacted, Codec.GZIP, FIRST_OFFSET);
    refused(Reason.PAYLOAD_BYTES_LEFT, task, both);
    assertEquals(0, referee.verdict().failureCount());

    records = Batches.plainRecords(keyless, record(1));
    longer = Arrays.copyOf(records, records.length + 1);
    refused(Reason.PAYLOAD_BYTES_LEFT, task, Batches.ofPlain(Codec.LZ4, 2, longer).array());
    assertEquals(1, referee.verdict().failureCount());
  }

  @Test
  void theVerdictDescribesTheLastBatchRead() {
    byte[] large = LegacyMessage.of(1).value(new byte[50]).toBytes();
    byte[] both = Bytes.concat(sound().toBytes(), large);
    rebuilt(2, task(2, Codec.NONE), both);
    assertEquals(large.length, referee.verdict().batchBytes());
    rebuilt(2, task(2, Codec.LZ4), both);
    assertEquals(large.length, referee.verdict().batchBytes());

    byte[] first = batch(Codec.LZ4, record(1));
    refused(
        Reason.BATCH_NOT_ALONE,
        task(2, Codec.GZIP),
        Bytes.concat(first, batch(Codec.LZ4, record(1), record(2))));
    assertEquals(first.length, referee.verdict().batchBytes());
    rebuilt(1, task(2, Codec.GZIP), first);
    assertEquals(Codec.LZ4, referee.verdict().codec());
  }

  /** Where Kafka lists all records first, it knows no bound on one of them. */
  @Test
  void theRecordLimitHoldsOnlyForStreamedRecords() {
    Policy policy =
        Policy.builder(Origin.COORDINATOR)
            .checkedByHost(true)
            .target(Target.PRODUCER.withMagic((byte) 1))
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, 10))
            .build();
    Task bounded = new Task(policy, Codec.NONE, FIRST_OFFSET);
    rebuilt(1, bounded, batch(Codec.NONE, record(1)));
    ByteBuffer compressed = ByteBuffer.wrap(batch(Codec.LZ4, record(1)));
    MutableVerdict verdict = new MutableVerdict();
    assertFalse(
        referee
            .rebuilder()
            .rebuild(
                Batches.framed(compressed),
                Batches.storing(policy, Codec.GZIP),
                null,
                0,
                Batches.nowMs(),
                verdict));
    assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());
  }
}
