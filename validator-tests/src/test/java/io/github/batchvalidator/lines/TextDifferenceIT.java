// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts that clients get, on each line: some in full, and one example of each difference. */
class TextDifferenceIT {
  private static final byte[] VALUE = {'v'};

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void keyMissing(KafkaLine line) {
    byte[] record = new RecordBytes().key(RecordBytes.varint(-1, 1), new byte[0]).toBytes();
    byte[] batch = Batches.ofPlain(Codec.LZ4, 1, record).array();
    Settings settings = SettingsChanges.compacted(Settings.of(Codec.LZ4, Batches.nowMs()));
    String text = "Compacted topic cannot accept message without key in topic partition topic-3";
    pin(
        LinePair.of(line).ask(new Append(batch, BufferKind.HEAP, settings)),
        List.of(
            "One or more records have been rejected due to 1 record errors in total, and only"
                + " showing the first three errors at most: [RecordError(batchIndex=0, message='"
                + text
                + "')]",
            text));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void timestampOutOfRange(KafkaLine line) {
    byte[] batch = Batches.ofPlain(Codec.NONE, 1, new RecordBytes().toBytes()).array();
    long now = Batches.nowMs() + 1_001;
    Settings settings = SettingsChanges.window(Settings.of(Codec.NONE, now), 1_000, 500);
    pin(
        LinePair.of(line).ask(new Append(batch, BufferKind.DIRECT, settings)),
        List.of(
            "One or more records have been rejected due to invalid timestamp",
            "Timestamp "
                + Batches.nowMs()
                + " of message with offset 0 is out of range. The timestamp should be within ["
                + (Batches.nowMs() + 1)
                + ", "
                + (Batches.nowMs() + 1_501)
                + "]"));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void countMismatch(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, new RecordBytes().toBytes());
    HeaderField.LAST_OFFSET_DELTA.set(batch, 4);
    byte[] bytes = Batches.copy(Batches.fixCrc(batch)).array();
    Settings settings = Settings.of(Codec.NONE, Batches.nowMs());
    pin(
        LinePair.of(line).ask(new Append(bytes, BufferKind.SLICED, settings)),
        List.of(
            "Inconsistent batch offset range [0, 4] and count of records 1 in topic partition"
                + " topic-3"));
  }

  private static void pin(Outcome outcome, List<String> texts) {
    assertEquals(texts, outcome.stock().texts().all(), outcome::toString);
    assertEquals(texts, outcome.ours().texts().all(), outcome::toString);
    assertEquals(Set.of(), outcome.differences());
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void legacyRecordShortened(KafkaLine line) {
    byte[] inner = LegacyBytes.entry(0, LegacyBytes.message(0, 0, 0, null, VALUE));
    byte[] stream = LegacyMessage.compress(1, Codec.LZ4, inner);
    byte[] wrapper = LegacyBytes.wrapper(0, 1, Codec.LZ4.id(), 0, stream);
    Settings settings = Settings.of(Codec.LZ4, Batches.nowMs());
    settings = SettingsChanges.target(settings, Codec.LZ4, 1);
    Outcome outcome = LinePair.of(line).ask(new Append(wrapper, BufferKind.HEAP, settings));
    assertEquals(Set.of(), outcome.differences(), outcome::toString);
    String stock = outcome.stock().texts().all().get(1);
    String begin = "Record LegacyRecordBatch(offset=0, Record(magic=0";
    String end = "))'s magic does not match outer magic 1 in topic partition topic-3";
    assertTrue(stock.startsWith(begin + ", attributes=0, compression=none, crc="), stock);
    assertTrue(stock.endsWith(", key=0 bytes, value=1 bytes" + end), stock);
    assertEquals(begin + end, outcome.ours().texts().all().get(1));
  }

  /** Lines without a limit accept on both sides. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void recordLimitBelowOne(KafkaLine line) {
    byte[] batch = Batches.ofPlain(Codec.ZSTD, 1, new RecordBytes().toBytes()).array();
    Settings settings = SettingsChanges.recordLimit(Settings.of(Codec.ZSTD, Batches.nowMs()), 0);
    Outcome outcome = LinePair.of(line).ask(new Append(batch, BufferKind.HEAP, settings));
    assertEquals(Set.of(), outcome.differences(), outcome::toString);
    assertEquals(line.hasRecordLimit(), !outcome.stock().accepted());
    if (line.hasRecordLimit()) {
      String text = outcome.stock().texts().all().get(0);
      assertTrue(text.endsWith(" exceeds the configured maximum record size of 0."), text);
      assertEquals(text.replace(" of 0.", " of 1."), outcome.ours().texts().all().get(0));
    }
  }

  /** Stock repeats the text of a codec's library, which changes with its version. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void streamNotOpened(KafkaLine line) {
    byte[] batch = Batches.ofPayload(Codec.GZIP, 1, new byte[] {'n', 'o'}).array();
    Settings settings = Settings.of(Codec.GZIP, Batches.nowMs());
    Outcome outcome = LinePair.of(line).ask(new Append(batch, BufferKind.HEAP, settings));
    assertEquals(Set.of(), outcome.differences(), outcome::toString);
    Throwable cause = Objects.requireNonNull(outcome.stock().thrown()).thrown().getCause();
    assertEquals(List.of(String.valueOf(cause)), outcome.stock().texts().all());
    assertEquals(
        List.of("Batch for topic-3 is refused: the compressed stream does not start as it should"),
        outcome.ours().texts().all());
  }

  @Test
  void everyDifferenceIsPinnedAndWrittenDown() throws IOException {
    List<String> rows = DocumentTable.firstColumn("compatibility.md", "### Texts of rejections");
    assertEquals(Arrays.stream(TextDifference.values()).map(Enum::name).toList(), rows);
    DocumentTable.assertPinned(rows, TextDifferenceIT.class);
  }
}
