// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.lines.Answer.Part;
import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One example of each known difference, both sides pinned on each line. */
class LineDifferenceIT {
  private static final int SNAPPY_CHUNK_AT = 16;
  private static final byte[] RECORD = new RecordBytes().toBytes();

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void codecIdUnknown(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, RECORD);
    HeaderField.ATTRIBUTES.set(batch, 6);
    Outcome outcome = ask(line, bytes(Batches.fixCrc(batch)), Codec.NONE, Codec.NONE);
    pin(
        outcome,
        LineDifference.CODEC_ID_UNKNOWN,
        "IllegalArgumentException",
        "InvalidRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void codecIdUnknownOfNoRecord(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 0, new byte[0]);
    HeaderField.ATTRIBUTES.set(batch, 6);
    Outcome outcome = askOldLog(line, batch, Codec.NONE, "REPLICATION");
    assertEquals(LineDifference.CODEC_ID_UNKNOWN, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted());
    assertTrue(outcome.ours().threw("InvalidRecordException"), outcome::toString);
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void lengthNearOverflow(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, RECORD);
    HeaderField.LENGTH.set(batch, Integer.MAX_VALUE - 1L);
    Outcome outcome = ask(line, bytes(batch), Codec.NONE, Codec.NONE);
    pin(
        outcome,
        LineDifference.LENGTH_NEAR_OVERFLOW,
        "IllegalArgumentException",
        "CorruptRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void headerCut(KafkaLine line) {
    byte[] cut = Arrays.copyOf(Batches.ofPlain(Codec.NONE, 1, RECORD).array(), 40);
    Outcome outcome = ask(line, ByteChanges.lengthen(cut), Codec.NONE, Codec.NONE);
    pin(outcome, LineDifference.HEADER_CUT, "IndexOutOfBoundsException", "CorruptRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void plainLengthEndless(KafkaLine line) {
    byte[] endless = new byte[8];
    Arrays.fill(endless, (byte) 0xFF);
    byte[] record = new RecordBytes().length(endless).toBytes();
    Outcome outcome =
        ask(line, Batches.ofPlain(Codec.NONE, 1, record).array(), Codec.NONE, Codec.NONE);
    pin(
        outcome,
        LineDifference.PLAIN_LENGTH_ENDLESS,
        "IllegalArgumentException",
        "InvalidRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void offsetsNotSequential(KafkaLine line) {
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    Outcome outcome =
        ask(line, Batches.ofPlain(Codec.LZ4, 1, record).array(), Codec.LZ4, Codec.LZ4);
    pin(
        outcome,
        LineDifference.OFFSETS_NOT_SEQUENTIAL,
        "UnsupportedOperationException",
        "InvalidRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void codecFailureUnwrapped(KafkaLine line) {
    byte[] stream = Batches.compress(Codec.SNAPPY, RECORD);
    ByteBuffer.wrap(stream).putInt(SNAPPY_CHUNK_AT, -1);
    Outcome outcome =
        ask(line, Batches.ofPayload(Codec.SNAPPY, 1, stream).array(), Codec.SNAPPY, Codec.SNAPPY);
    pin(outcome, LineDifference.CODEC_FAILURE_UNWRAPPED, "SnappyError", "KafkaException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void legacyFieldBeyondEnd(KafkaLine line) {
    byte[] message = LegacyBytes.message(1, 0, 0, null, new byte[] {'v'});
    ByteBuffer.wrap(message).putInt(LegacyBytes.keyAt(1), 500);
    byte[] entry = LegacyBytes.entry(0, LegacyBytes.fixCrc(message));
    byte[] stream = LegacyMessage.compress(1, Codec.LZ4, entry);
    byte[] wrapper = LegacyBytes.wrapper(0, 1, Codec.LZ4.id(), 0, stream);
    Outcome outcome = ask(line, wrapper, Codec.LZ4, Codec.LZ4);
    pin(
        outcome,
        LineDifference.LEGACY_FIELD_BEYOND_END,
        "IllegalArgumentException",
        "CorruptRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void builderRefuses(KafkaLine line) {
    byte[] record =
        new RecordBytes().timestampDelta(RecordBytes.varint(-2 - Batches.nowMs(), 1)).toBytes();
    Outcome outcome =
        ask(line, Batches.ofPlain(Codec.LZ4, 1, record).array(), Codec.LZ4, Codec.ZSTD);
    pin(
        outcome,
        LineDifference.BUILDER_REFUSES,
        "IllegalArgumentException",
        "InvalidRecordException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void readOnlyBuffer(KafkaLine line) {
    byte[] batch = Batches.ofPlain(Codec.NONE, 1, RECORD).array();
    Append append =
        new Append(batch, BufferKind.READ_ONLY, Settings.of(Codec.NONE, Batches.nowMs()));
    pin(
        LinePair.of(line).ask(append),
        LineDifference.READ_ONLY_BUFFER,
        "ReadOnlyBufferException",
        "KafkaException");
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void controlBatchInOldLog(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, RECORD);
    HeaderField.ATTRIBUTES.set(batch, BatchLayout.CONTROL_MASK);
    Outcome outcome = askOldLog(line, batch, Codec.LZ4, "COORDINATOR");
    assertEquals(LineDifference.CONTROL_BATCH_IN_OLD_LOG, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted() && outcome.ours().accepted());
    assertFalse(outcome.differences().isEmpty());
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void controlBatchInOldLogRefusedForItsStream(KafkaLine line) {
    ByteBuffer batch = Batches.ofPayload(Codec.GZIP, 0, new byte[0]);
    HeaderField.ATTRIBUTES.set(batch, BatchLayout.CONTROL_MASK | Codec.GZIP.id());
    Outcome outcome = askOldLog(line, batch, Codec.LZ4, "COORDINATOR");
    assertEquals(LineDifference.CONTROL_BATCH_IN_OLD_LOG, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted(), outcome::toString);
    assertTrue(outcome.ours().threw("KafkaException"), outcome::toString);
  }

  /** Stock reads the records without their keys, which it needs to renumber them. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void controlBatchInOldLogWithOddOffsets(KafkaLine line) {
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 1, record);
    HeaderField.ATTRIBUTES.set(batch, BatchLayout.CONTROL_MASK | Codec.LZ4.id());
    Outcome outcome = askOldLog(line, batch, Codec.LZ4, "COORDINATOR");
    assertEquals(LineDifference.CONTROL_BATCH_IN_OLD_LOG, LineDifference.of(outcome));
    assertTrue(outcome.stock().threw("UnsupportedOperationException"), outcome::toString);
    assertTrue(outcome.ours().accepted(), outcome::toString);
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void controlBatchInOldLogOfAnImpossibleProducer(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, RECORD);
    HeaderField.ATTRIBUTES.set(batch, BatchLayout.CONTROL_MASK);
    HeaderField.PRODUCER_ID.set(batch, -2);
    HeaderField.PRODUCER_EPOCH.set(batch, 1);
    HeaderField.BASE_SEQUENCE.set(batch, 1);
    Outcome outcome = askOldLog(line, batch, Codec.LZ4, "COORDINATOR");
    assertEquals(LineDifference.CONTROL_BATCH_IN_OLD_LOG, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted());
    assertTrue(outcome.ours().threw("UnsupportedForMessageFormatException"), outcome::toString);
  }

  /**
   * Stock never sees the last block: its record count is reached, and the end is where it looks.
   */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void lz4BlockBehindEmptyBlock(KafkaLine line) {
    byte[] frame = Batches.compress(Codec.LZ4, RECORD);
    int blocksEnd = frame.length - Integer.BYTES;
    ByteBuffer payload = ByteBuffer.allocate(frame.length + 10);
    payload.put(frame, 0, blocksEnd);
    payload.put(new byte[] {1, 0, 0, 0, 0});
    payload.put(new byte[] {1, 0, 0, (byte) 0x80, 'x'});
    byte[] batch = Batches.ofPayload(Codec.LZ4, 1, payload.array()).array();
    Outcome outcome = ask(line, batch, Codec.LZ4, Codec.LZ4);
    assertEquals(LineDifference.LZ4_BLOCK_BEHIND_EMPTY_BLOCK, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted());
    assertTrue(outcome.ours().threw("InvalidRecordException"), outcome::toString);
    assertTrue(outcome.oursIsUntouched());
  }

  /** Lines without a limit accept on both sides. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void recordLimitByContent(KafkaLine line) {
    Outcome outcome = askWithRecordThatDeclaresOneByte(line, 5);
    assertTrue(outcome.stock().accepted(), outcome::toString);
    if (line.hasRecordLimit()) {
      assertEquals(LineDifference.RECORD_LIMIT_BY_CONTENT, LineDifference.of(outcome));
      assertTrue(outcome.ours().threw("InvalidRecordException"), outcome::toString);
      assertTrue(outcome.oursIsUntouched());
    } else {
      assertEquals(Set.of(), outcome.differences(), outcome::toString);
    }
  }

  /** Above the limit of stock, but not above ours, which is at least 1: both refuse the record. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void recordLimitByContentBelowOne(KafkaLine line) {
    Outcome outcome = askWithRecordThatDeclaresOneByte(line, 0);
    if (line.hasRecordLimit()) {
      assertEquals(Set.of(Part.TEXTS), outcome.differences(), outcome::toString);
      assertEquals(LineDifference.RECORD_LIMIT_BY_CONTENT, LineDifference.of(outcome));
      String text = "Invalid record size: %d exceeds the configured maximum record size of %d.";
      assertEquals(List.of(text.formatted(1, 0)), outcome.stock().texts().all());
      int readUpToTheKey = 4;
      assertEquals(List.of(text.formatted(readUpToTheKey, 1)), outcome.ours().texts().all());
    } else {
      assertTrue(outcome.stock().accepted(), outcome::toString);
      assertEquals(Set.of(), outcome.differences(), outcome::toString);
    }
  }

  private static Outcome askWithRecordThatDeclaresOneByte(KafkaLine line, int recordLimit) {
    byte[] record = new RecordBytes().length(RecordBytes.varint(1, 1)).toBytes();
    byte[] batch = Batches.ofPlain(Codec.ZSTD, 1, record).array();
    Settings settings = Settings.of(Codec.ZSTD, Batches.nowMs());
    settings = SettingsChanges.recordLimit(settings, recordLimit);
    return LinePair.of(line).ask(new Append(batch, BufferKind.HEAP, settings));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void wrongChecksumKept(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, RECORD);
    HeaderField.CRC.set(batch, HeaderField.CRC.get(batch) ^ 1);
    Settings settings =
        SettingsChanges.type(
            Settings.of(Codec.NONE, Batches.nowMs()), TimestampType.LOG_APPEND_TIME);
    Outcome outcome = LinePair.of(line).ask(new Append(bytes(batch), BufferKind.HEAP, settings));
    assertEquals(LineDifference.WRONG_CHECKSUM_KEPT, LineDifference.of(outcome));
    assertTrue(outcome.stock().accepted() && outcome.ours().accepted());
    assertTrue(checksumIsRight(outcome.stock()));
    assertFalse(checksumIsRight(outcome.ours()));
  }

  /** One message is stamped, the next one is too short. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void wrongChecksumKeptOfRefused(KafkaLine line) {
    Outcome outcome = askAfterAKeptChecksum(line, new byte[5]);
    assertEquals(LineDifference.WRONG_CHECKSUM_KEPT, LineDifference.of(outcome));
    assertTrue(outcome.stock().threw("CorruptRecordException"), outcome::toString);
    assertTrue(outcome.ours().threw("CorruptRecordException"), outcome::toString);
    assertFalse(outcome.oursIsUntouched());
  }

  /** One message is stamped, at the next one stock comes down. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void crashAfterAKeptChecksum(KafkaLine line) {
    byte[] unknown = LegacyBytes.message(1, 6, Batches.nowMs(), null, new byte[] {'v'});
    Outcome outcome = askAfterAKeptChecksum(line, unknown);
    assertEquals(LineDifference.CODEC_ID_UNKNOWN, LineDifference.of(outcome), outcome::toString);
    assertTrue(outcome.stock().threw("IllegalArgumentException"), outcome::toString);
    assertTrue(outcome.ours().threw("InvalidRecordException"), outcome::toString);
    assertFalse(outcome.oursIsUntouched());
  }

  private static byte[] bytes(ByteBuffer batch) {
    return Batches.copy(batch).array();
  }

  private static boolean checksumIsRight(Answer answer) {
    return StoredBytes.spans(answer.caller()).get(0).checksumIsRight();
  }

  private static Outcome ask(KafkaLine line, byte[] bytes, Codec source, Codec target) {
    Settings settings = Settings.of(source, Batches.nowMs());
    settings = SettingsChanges.target(settings, target, BatchLayout.MAGIC_V2);
    return LinePair.of(line).ask(new Append(bytes, BufferKind.SLICED, settings));
  }

  private static Outcome askOldLog(KafkaLine line, ByteBuffer batch, Codec target, String origin) {
    Settings settings = Settings.of(Codec.NONE, Batches.nowMs());
    settings = SettingsChanges.target(settings, target, 1);
    settings = SettingsChanges.origin(settings, origin);
    byte[] bytes = bytes(Batches.fixCrc(batch));
    return LinePair.of(line).ask(new Append(bytes, BufferKind.HEAP, settings));
  }

  /** A message is stamped whose checksum was wrong before; then comes another one. */
  private static Outcome askAfterAKeptChecksum(KafkaLine line, byte[] other) {
    byte[] message = LegacyBytes.message(1, 0, Batches.nowMs(), null, new byte[] {'v'});
    message[LegacyBytes.CRC_AT] ^= 1;
    byte[] bytes =
        LegacyBytes.join(List.of(LegacyBytes.entry(0, message), LegacyBytes.entry(1, other)));
    Settings settings =
        SettingsChanges.type(
            Settings.of(Codec.NONE, Batches.nowMs()), TimestampType.LOG_APPEND_TIME);
    settings = SettingsChanges.target(settings, Codec.NONE, 1);
    settings = SettingsChanges.entry(settings, Settings.Entry.NON_COMPRESSED);
    return LinePair.of(line).ask(new Append(bytes, BufferKind.SLICED, settings));
  }

  private static void pin(Outcome outcome, LineDifference difference, String stock, String ours) {
    assertEquals(difference, LineDifference.of(outcome), outcome::toString);
    assertTrue(outcome.stock().threw(stock), outcome::toString);
    assertTrue(outcome.ours().threw(ours), outcome::toString);
    assertTrue(outcome.oursIsUntouched());
  }

  /** Each constant has an example here and a row in the document, and the other way round. */
  @Test
  void everyDifferenceIsPinnedAndWrittenDown() throws IOException {
    List<String> names = Arrays.stream(LineDifference.values()).map(Enum::name).toList();
    Set<String> rows = new HashSet<>(DocumentTable.firstColumn("compatibility.md"));
    assertTrue(rows.containsAll(names), () -> names + " " + rows);
    for (String heading : HEADINGS) {
      assertTrue(names.containsAll(DocumentTable.firstColumn("compatibility.md", heading)));
    }
    DocumentTable.assertPinned(names, LineDifferenceIT.class);
  }

  private static final List<String> HEADINGS =
      List.of("### Crashes of the stock classes", "### Differences of the drop-in jars");
}
