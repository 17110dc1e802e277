// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.NonZero;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.watch.Counts;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.junit.jupiter.api.Test;

/** Whatever way an append goes, each batch of it is counted once. */
class DropInCountsTest {
  private final Counts before = DropIn.counts().snapshot();

  private static ByteBuffer batch(Codec codec) {
    return Batches.ofPlain(codec, 1, new RecordBytes().toBytes());
  }

  private static ByteBuffer twice(ByteBuffer batch) {
    int size = batch.remaining();
    return ByteBuffer.allocate(2 * size).put(batch.duplicate()).put(batch.duplicate()).flip();
  }

  private static LineAppend validator(ByteBuffer records, Codec source, Codec target, int toMagic) {
    return validator(records, source, target, toMagic, false);
  }

  private static LineAppend validator(
      ByteBuffer records, Codec source, Codec target, int toMagic, boolean compactedTopic) {
    AppendSettings settings = AppendSettings.of(AppendOrigin.COORDINATOR, toMagic, compactedTopic);
    return Validators.of(records, source, target, settings);
  }

  private static void append(ByteBuffer records, Codec source, Codec target, int toMagic) {
    validator(records, source, target, toMagic)
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
  }

  private static void refuse(ByteBuffer records, Codec source, Codec target, int toMagic) {
    assertThrows(RuntimeException.class, () -> append(records, source, target, toMagic));
  }

  /** Sizes are the business of other tests. */
  private void assertMoved(Object... namesAndCounts) {
    Map<String, Long> expected = new TreeMap<>();
    for (int i = 0; i < namesAndCounts.length; i += 2) {
      expected.put((String) namesAndCounts[i], ((Integer) namesAndCounts[i + 1]).longValue());
    }
    Map<String, Long> moved = NonZero.moved(before, DropIn.counts());
    long accepted = moved.getOrDefault("accepted", 0L);
    long sizes =
        moved.entrySet().stream()
            .filter(e -> e.getKey().startsWith("plain "))
            .mapToLong(Map.Entry::getValue)
            .sum();
    moved.keySet().removeIf(name -> name.startsWith("plain ") || name.startsWith("ratio "));
    assertEquals(expected, moved);
    assertEquals(accepted, sizes);
  }

  @Test
  void inPlace() {
    append(batch(Codec.LZ4), Codec.LZ4, Codec.LZ4, 2);
    append(batch(Codec.NONE), Codec.NONE, Codec.NONE, 2);
    assertMoved("accepted", 2, "accepted LZ4", 1, "accepted NONE", 1);
  }

  @Test
  void severalInPlace() {
    append(twice(LegacyMessage.of(1).toBuffer()), Codec.NONE, Codec.NONE, 1);
    assertMoved("accepted", 2, "accepted NONE", 2);
  }

  /** However many messages are sound before the one that is not. */
  @Test
  void anAppendThatIsRefusedIsOneRefusal() {
    ByteBuffer messages = ByteBuffer.allocate(1_000);
    messages.put(LegacyMessage.join(LegacyMessage.several(1, 3)));
    messages.put(LegacyMessage.of(1).key(null).toBytes()).flip();
    LongRef offset = PrimitiveRef.ofLong(7);
    assertThrows(
        RuntimeException.class,
        () ->
            validator(messages, Codec.NONE, Codec.NONE, 1, true)
                .validateMessagesAndAssignOffsets(
                    offset, new RecordedMetrics(), BufferSupplier.NO_CACHING));
    assertEquals(11, offset.value);
    assertMoved("refused", 1, "refused NONE", 1, "refused RECORD_KEY_MISSING", 1);
  }

  @Test
  void anotherCodec() {
    append(batch(Codec.LZ4), Codec.LZ4, Codec.ZSTD, 2);
    append(batch(Codec.NONE), Codec.NONE, Codec.GZIP, 2);
    assertMoved("accepted", 2, "accepted LZ4", 1, "accepted NONE", 1, "rebuilt OTHER_CODEC", 2);
  }

  @Test
  void anotherMagic() {
    append(batch(Codec.LZ4), Codec.LZ4, Codec.LZ4, 1);
    append(batch(Codec.NONE), Codec.NONE, Codec.NONE, 1);
    assertMoved("accepted", 2, "accepted LZ4", 1, "accepted NONE", 1, "rebuilt OTHER_MAGIC", 2);
  }

  @Test
  void otherOffsets() {
    ByteBuffer ahead =
        LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 3)).offset(50).toBuffer();
    append(ahead, Codec.GZIP, Codec.GZIP, 1);
    ByteBuffer old =
        LegacyMessage.holding(0, Codec.GZIP, LegacyMessage.several(0, 3)).offset(2).toBuffer();
    append(old, Codec.GZIP, Codec.GZIP, 0);
    assertMoved("accepted", 2, "accepted GZIP", 2, "rebuilt OTHER_OFFSETS", 2);
  }

  /** Inspected first, then rebuilt. */
  @Test
  void uncompressedPassedAsCompressed() {
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(5, 1)).toBytes();
    append(Batches.ofPlain(Codec.NONE, 1, record), Codec.LZ4, Codec.LZ4, 2);
    assertMoved("accepted", 1, "accepted NONE", 1, "rebuilt OTHER_OFFSETS", 1);
  }

  @Test
  void compressedPassedAsUncompressed() {
    append(batch(Codec.ZSTD), Codec.NONE, Codec.NONE, 2);
    byte[] unreadable = new RecordBytes().headerCount(new byte[] {1}).toBytes();
    refuse(Batches.ofPlain(Codec.ZSTD, 1, unreadable), Codec.NONE, Codec.NONE, 2);
    assertMoved(
        "accepted", 1,
        "accepted ZSTD", 1,
        "refused", 1,
        "refused ZSTD", 1,
        "refused RECORD_HEADER_COUNT_INVALID", 1);
  }

  @Test
  void refusedInPlaceOrInARebuild() {
    ByteBuffer lz4 =
        Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().headerCount(new byte[] {1}).toBytes());
    refuse(Batches.copy(lz4), Codec.LZ4, Codec.LZ4, 2);
    refuse(Batches.copy(lz4), Codec.LZ4, Codec.ZSTD, 2);
    ByteBuffer plain =
        Batches.ofPlain(Codec.NONE, 1, new RecordBytes().headerCount(new byte[] {1}).toBytes());
    refuse(plain, Codec.NONE, Codec.NONE, 2);
    assertMoved(
        "refused", 3,
        "refused LZ4", 2,
        "refused NONE", 1,
        "refused RECORD_HEADER_COUNT_INVALID", 3);
  }

  @Test
  void aReadOnlyBatchIsNotCountedAsAccepted() {
    refuse(batch(Codec.LZ4).asReadOnlyBuffer(), Codec.LZ4, Codec.LZ4, 2);
    refuse(batch(Codec.NONE).asReadOnlyBuffer(), Codec.NONE, Codec.NONE, 2);
    assertMoved();
  }

  @Test
  void buffersThatHoldNoSingleBatchAreCounted() {
    refuse(twice(batch(Codec.LZ4)), Codec.LZ4, Codec.LZ4, 2);
    refuse(ByteBuffer.allocate(0), Codec.LZ4, Codec.LZ4, 2);
    refuse(ByteBuffer.allocate(5), Codec.NONE, Codec.NONE, 2);
    refuse(ByteBuffer.allocate(100), Codec.LZ4, Codec.LZ4, 2);
    refuse(ByteBuffer.allocate(100), Codec.NONE, Codec.NONE, 2);
    ByteBuffer mixed = ByteBuffer.allocate(200);
    mixed.put(LegacyMessage.of(1).toBytes()).put(LegacyMessage.of(0).toBytes()).flip();
    assertThrows(
        RuntimeException.class,
        () ->
            validator(mixed, Codec.NONE, Codec.NONE, 1)
                .assignOffsetsNonCompressed(PrimitiveRef.ofLong(7), new RecordedMetrics()));
    assertMoved(
        "refused", 6,
        "refused UNKNOWN", 6,
        "refused BATCH_NOT_ALONE", 1,
        "refused FRAMING_INCOMPLETE", 2,
        "refused FRAMING_LENGTH_TOO_SMALL", 2,
        "refused REBUILD_MAGIC_MISMATCH", 1);
  }
}
