// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inputs for which our answer once differed from stock's and no longer does. Most have a caller
 * that names a wrong codec, or a stream that does not open. Random appends rarely reach these
 * cases.
 */
class FormerDifferenceIT {
  /** The bytes of a frame before its first block. */
  private static final int ZSTD_HEAD_BYTES = 8;

  private static final byte[] RECORD = new RecordBytes().toBytes();

  /** Stock renumbers the records, and compresses them at the same time. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void plainBatchThatIsCalledCompressed(KafkaLine line) {
    byte[] batch = Batches.ofPlain(Codec.NONE, 1, atOffset(1)).array();
    assertTrue(isWrittenAnew(same(line, batch, settings(Codec.LZ4, Codec.LZ4, 2))));
    byte[] inOrder = Batches.ofPlain(Codec.NONE, 1, RECORD).array();
    assertTrue(isKept(same(line, inOrder, settings(Codec.LZ4, Codec.LZ4, 2))));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void plainMessageThatIsCalledCompressed(KafkaLine line) {
    byte[] message = LegacyBytes.message(1, 0, 5, null, new byte[] {'v'});
    Settings settings = settings(Codec.GZIP, Codec.GZIP, 1);
    assertTrue(isWrittenAnew(same(line, LegacyBytes.entry(7, message), settings)));
    assertTrue(isKept(same(line, LegacyBytes.entry(0, message), settings)));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void controlBatchWhoseOffsetsAreNotInOrder(KafkaLine line) {
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, atOffset(1));
    HeaderField.ATTRIBUTES.set(batch, BatchLayout.CONTROL_MASK);
    byte[] bytes = Batches.copy(Batches.fixCrc(batch)).array();
    Settings settings = coordinator(settings(Codec.NONE, Codec.ZSTD, 2));
    assertTrue(isWrittenAnew(same(line, bytes, settings)));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void compressedMessagesThatAreCalledPlain(KafkaLine line) {
    byte[] several = LegacyBytes.join(List.of(wrapper(0), wrapper(1)));
    assertTrue(isWrittenAnew(same(line, several, settings(Codec.NONE, Codec.LZ4, 2))));
    assertTrue(isWrittenAnew(same(line, several, settings(Codec.NONE, Codec.NONE, 2))));
    assertTrue(isKept(same(line, several, settings(Codec.NONE, Codec.NONE, 1))));
  }

  /** Kept as it is, stock looks neither at what a builder would refuse nor at the limit. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void compressedBatchThatIsCalledPlain(KafkaLine line) {
    byte[] record =
        new RecordBytes().timestampDelta(RecordBytes.varint(-9 - Batches.nowMs(), 1)).toBytes();
    byte[] batch = Batches.ofPlain(Codec.GZIP, 1, record).array();
    Settings settings = SettingsChanges.recordLimit(settings(Codec.NONE, Codec.NONE, 2), 5);
    assertTrue(isKept(same(line, batch, settings)));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void compressedBatchThatIsCalledPlainChangesItsMagic(KafkaLine line) {
    byte[] batch = Batches.ofPlain(Codec.GZIP, 1, RECORD).array();
    Settings settings = SettingsChanges.recordLimit(settings(Codec.NONE, Codec.NONE, 1), 5);
    assertTrue(isWrittenAnew(same(line, batch, settings)));
    byte[] cut = Batches.ofPlain(Codec.GZIP, 2, RECORD).array();
    assertEquals("InvalidRecordException", refusal(same(line, cut, settings)));
  }

  /** Those in front of the one at fault have their offsets already. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void checksumWithinMessageThatIsCalledPlain(KafkaLine line) {
    byte[] sound = LegacyBytes.message(1, 0, 5, null, new byte[] {'v'});
    byte[] damaged = sound.clone();
    damaged[damaged.length - 1] ^= 1;
    byte[] entries =
        LegacyBytes.join(List.of(LegacyBytes.entry(0, sound), LegacyBytes.entry(1, damaged)));
    byte[] stream = LegacyMessage.compress(1, Codec.LZ4, entries);
    byte[] wrapper = LegacyBytes.wrapper(1, 1, Codec.LZ4.id(), 5, stream);
    Outcome outcome = same(line, wrapper, settings(Codec.NONE, Codec.NONE, 1));
    assertEquals("CorruptRecordException", refusal(outcome));
    assertEquals(outcome.append().settings().firstOffset() + 1, outcome.ours().nextOffset());
  }

  /** The readers of these lines have limits. Without a configured limit, this one applies. */
  @ParameterizedTest
  @EnumSource(
      value = KafkaLine.class,
      names = {"V4_2_NEWEST", "V4_4"})
  void messageThatClaimsMoreThanAnArrayHolds(KafkaLine line) {
    byte[] sound = LegacyBytes.entry(0, LegacyBytes.message(1, 0, 5, null, new byte[] {'v'}));
    byte[] prefix = ByteBuffer.allocate(12).putLong(1).putInt(Integer.MAX_VALUE).array();
    byte[] stream = LegacyMessage.compress(1, Codec.GZIP, LegacyBytes.join(List.of(sound, prefix)));
    byte[] wrapper = LegacyBytes.wrapper(1, 1, Codec.GZIP.id(), 5, stream);
    for (int toMagic = 1; toMagic <= 2; toMagic++) {
      Outcome outcome = same(line, wrapper, settings(Codec.NONE, Codec.NONE, toMagic));
      assertEquals("InvalidRecordException", refusal(outcome));
    }
  }

  /** Stock opens the stream before it looks at the count. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void negativeCountOverStreamThatDoesNotOpen(KafkaLine line) {
    for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4)) {
      byte[] batch = Batches.ofPayload(codec, -1, new byte[40]).array();
      Settings settings = coordinator(settings(codec, codec, 2));
      assertEquals("KafkaException", refusal(same(line, batch, settings)));
    }
    byte[] notZstd = Batches.ofPayload(Codec.ZSTD, -1, new byte[40]).array();
    Settings settings = coordinator(settings(Codec.ZSTD, Codec.ZSTD, 2));
    assertEquals("InvalidRecordException", refusal(same(line, notZstd, settings)));
  }

  /** A lone block of Snappy is decompressed while the stream is opened. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void noRecordsOverLoneBlockThatIsDamaged(KafkaLine line) {
    byte[] batch = Batches.ofPayload(Codec.SNAPPY, 0, new byte[] {9, 0, 'a'}).array();
    Settings settings = coordinator(settings(Codec.SNAPPY, Codec.LZ4, 2));
    assertEquals("KafkaException", refusal(same(line, batch, settings)));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void cutZstdFrameAfterAWholeOne(KafkaLine line) {
    byte[] frame = Batches.compress(Codec.ZSTD, new RecordBytes().toBytes());
    for (int cut = 0; cut <= ZSTD_HEAD_BYTES; cut++) {
      byte[] payload = Bytes.concat(frame, Bytes.cut(frame, cut));
      byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, payload).array();
      Outcome outcome = same(line, batch, settings(Codec.ZSTD, Codec.ZSTD, 2));
      assertTrue(outcome.stock().accepted(), outcome::toString);
    }
  }

  private static byte[] atOffset(int delta) {
    return new RecordBytes().offsetDelta(RecordBytes.varint(delta, 1)).toBytes();
  }

  private static byte[] wrapper(long offset) {
    byte[] message = LegacyBytes.message(1, 0, 5, null, new byte[] {'v'});
    byte[] stream = LegacyMessage.compress(1, Codec.GZIP, LegacyBytes.entry(0, message));
    return LegacyBytes.wrapper(offset, 1, Codec.GZIP.id(), 5, stream);
  }

  private static Settings settings(Codec source, Codec target, int toMagic) {
    return SettingsChanges.target(Settings.of(source, Batches.nowMs()), target, toMagic);
  }

  private static Settings coordinator(Settings settings) {
    return SettingsChanges.origin(settings, "COORDINATOR");
  }

  private static Outcome same(KafkaLine line, byte[] bytes, Settings settings) {
    Outcome outcome = LinePair.of(line).ask(new Append(bytes, BufferKind.SLICED, settings));
    assertEquals(Set.of(), outcome.differences(), outcome::toString);
    return outcome;
  }

  private static boolean isWrittenAnew(Outcome outcome) {
    Answer.Result result = outcome.stock().result();
    return result != null && !result.sameInstance();
  }

  private static boolean isKept(Outcome outcome) {
    Answer.Result result = outcome.stock().result();
    return result != null && result.sameInstance();
  }

  private static String refusal(Outcome outcome) {
    Answer.Thrown thrown = outcome.stock().thrown();
    return thrown == null ? "" : thrown.type().replaceFirst(".*\\.", "");
  }
}
