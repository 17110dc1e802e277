// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fields of messages, and their bytes where they are asked for as a whole. */
class LegacyMessageIteratorTest {
  /** After so many batches that need less, memory for a large message is dropped. */
  private static final int PATIENCE = 128;

  private static final int PREFIX_BYTES = 12;
  private static final int[] VALUE_BYTES = {0, 1, 2000, 2048, 5000, 70_000, 3};

  private final Decoders fastest = WindowDecoders.fastest();
  private final Decoders lowMemory = WindowDecoders.lowMemory();
  private final ByteWindow window = new ByteWindow();
  private final Payload payload = new Payload();
  private final LegacyHeader outer = new LegacyHeader();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();

  @AfterEach
  void close() {
    fastest.close();
    lowMemory.close();
  }

  private void open(Decoders decoders, ByteBuffer batch, Limits limits) {
    outer.read(batch, batch.position());
    Codec codec = Objects.requireNonNull(Codec.byId(outer.codecId()));
    PayloadDecoder decoder = Objects.requireNonNull(decoders.get(codec));
    if (codec == Codec.NONE) {
      payload.wrap(batch, batch.position(), outer.sizeInBytes());
    } else {
      payload.wrap(batch, batch.position() + (int) outer.valueSizeEnd(), outer.valueSize());
    }
    decoder.open(payload, limits, StreamChecks.KAFKA_MAGIC_0, window);
    messages.open(window, outer, limits, true);
  }

  private static LegacyMessage[] manySizes(int magic) {
    LegacyMessage[] all = LegacyMessage.several(magic, VALUE_BYTES.length);
    for (int i = 0; i < all.length; i++) {
      byte[] value = new byte[VALUE_BYTES[i]];
      Arrays.fill(value, (byte) (i + 1));
      all[i].value(i == 3 ? null : value).key(i == 1 ? null : new byte[] {(byte) i, 2, 3});
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(BufferKind.class)
  void messagesAreContiguous(BufferKind kind) {
    for (int magic = 0; magic <= 1; magic++) {
      LegacyMessage[] all = manySizes(magic);
      for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4)) {
        byte[] batch = LegacyMessage.holding(magic, codec, all).toBytes();
        for (Decoders decoders : List.of(fastest, lowMemory)) {
          open(decoders, kind.holding(batch, (byte) 9), Limits.UNBOUNDED_AS_KAFKA);
          for (int i = 0; i < all.length; i++) {
            assertTrue(messages.next(), () -> "ends early: " + messages.failure());
            assertMessage(all[i].toBytes(), magic, i);
          }
          assertEnd(all.length);
          assertTrue(messages.offsetsAreSequential());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BufferKind.class)
  void aMessageThatIsNotCompressedIsItsOwn(BufferKind kind) {
    for (int magic = 0; magic <= 1; magic++) {
      LegacyMessage[] all = manySizes(magic);
      for (int i = 0; i < all.length; i++) {
        byte[] batch = all[i].toBytes();
        for (Decoders decoders : List.of(fastest, lowMemory)) {
          open(decoders, kind.holding(batch, (byte) 9), Limits.UNBOUNDED_AS_KAFKA);
          assertTrue(messages.next());
          assertMessage(batch, magic, i);
          assertEnd(1);
          assertEquals(0, messages.baseOffset());
        }
      }
    }
  }

  private void assertMessage(byte[] expected, int magic, int i) {
    int from = messages.keyPosition() - messages.keySizeEnd();
    assertArrayEquals(
        Arrays.copyOfRange(expected, PREFIX_BYTES, expected.length),
        Arrays.copyOfRange(messages.array(), from, from + messages.size()));
    assertEquals(magic, messages.magic());
    assertEquals(i, messages.offset());
    assertEquals(magic == 0 ? -1 : Batches.nowMs() + i, messages.timestamp());
    assertEquals(expected.length - PREFIX_BYTES, messages.fieldsEnd());
    assertTrue(messages.hasKeySize());
    assertEquals(i == 1 ? -1 : 3, messages.keySize());
    if (i != 1) {
      assertEquals((byte) i, messages.array()[messages.keyPosition()]);
    }
    assertEquals(i == 3 ? -1 : VALUE_BYTES[i], messages.valueSize());
    if (messages.valueSize() > 0) {
      assertEquals((byte) (i + 1), messages.array()[messages.valuePosition()]);
    }
    if (outer.codecId() != 0) {
      assertEquals(messages.crc(), messages.computedCrc());
    }
  }

  private void assertEnd(int count) {
    assertFalse(messages.next());
    assertNull(messages.failure());
    assertTrue(messages.finish());
    assertEquals(count - 1, messages.index());
    assertEquals(window.plainPosition(), messages.bytesRead());
  }

  /** Scratch memory for a large message is kept for {@link #PATIENCE} batches without one. */
  @Test
  void scratchMemoryIsReleased() {
    assertEquals(0, messages.heapBytes());
    byte[] batch = LegacyMessage.holding(1, Codec.GZIP, manySizes(1)).toBytes();
    open(lowMemory, ByteBuffer.wrap(batch), Limits.UNBOUNDED_AS_KAFKA);
    while (messages.next()) {
      assertTrue(messages.heapBytes() <= 2 * 71_000, messages.heapBytes() + " bytes");
    }
    assertTrue(messages.heapBytes() >= 70_000);
    for (int i = 0; i < PATIENCE; i++) {
      messages.clear();
      assertTrue(messages.heapBytes() >= 70_000);
    }
    messages.clear();
    assertEquals(0, messages.heapBytes());
  }

  /** Room that is left of an earlier batch does not count. */
  @Test
  void aLimitHoldsWhateverWasReadBefore() {
    byte[] batch = LegacyMessage.holding(1, Codec.GZIP, manySizes(1)).toBytes();
    open(lowMemory, ByteBuffer.wrap(batch), Limits.UNBOUNDED_AS_KAFKA);
    while (messages.next()) {
      assertNull(messages.failure());
    }
    open(
        lowMemory,
        ByteBuffer.wrap(batch),
        Limits.UNBOUNDED_AS_KAFKA.with(Limit.REBUILT_BYTES, 70_000));
    while (messages.next()) {
      assertTrue(messages.index() < 5);
    }
    assertEquals(Reason.LIMIT_RECORD_BYTES, messages.failure());
  }

  @Test
  void aMessageAboveTheLimitIsAFault() {
    byte[] batch = LegacyMessage.holding(1, Codec.GZIP, manySizes(1)).toBytes();
    open(
        lowMemory,
        ByteBuffer.wrap(batch),
        Limits.UNBOUNDED_AS_KAFKA.with(Limit.REBUILT_BYTES, 70_000));
    int read = 0;
    while (messages.next()) {
      read++;
    }
    assertEquals(5, read);
    assertEquals(Reason.LIMIT_RECORD_BYTES, messages.failure());
    assertEquals(70_025, messages.fault().first());
    assertEquals(70_000, messages.fault().second());
  }

  /** The scratch grows by what is there, not by what is declared. */
  @Test
  void aDeclaredSizeCostsNothing() {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(1, 2));
    ByteBuffer.wrap(plain).putInt(plain.length / 2 + 8, Integer.MAX_VALUE);
    byte[] batch = LegacyMessage.holdingPlain(1, Codec.GZIP, plain).toBytes();
    open(lowMemory, ByteBuffer.wrap(batch), Limits.UNBOUNDED_AS_KAFKA);
    assertTrue(messages.next());
    assertFalse(messages.next());
    assertNull(messages.failure());
    assertTrue(messages.finish());
    assertEquals(0, messages.index());
    assertEquals(plain.length / 2, messages.bytesRead());
    assertEquals(plain.length / 2, messages.droppedBytes());
    assertFalse(messages.next());
    assertEquals(plain.length / 2, messages.droppedBytes(), "asked again it tells the same");
    assertTrue(messages.heapBytes() <= 1024, messages.heapBytes() + " bytes");
  }

  @Test
  void fieldsBeyondTheEndAreReported() {
    for (int error : new int[] {1, 1000, Integer.MAX_VALUE}) {
      LegacyMessage message = LegacyMessage.of(1).keySizeError(error - 1).valueSizeError(error);
      open(fastest, message.toBuffer(), Limits.UNBOUNDED_AS_KAFKA);
      assertTrue(messages.next());
      assertTrue(messages.fieldsEnd() > messages.size(), () -> messages.fieldsEnd() + " bytes");
    }
    LegacyMessage cut = LegacyMessage.of(1).key(null).value(null).cut(8);
    open(fastest, cut.toBuffer(), Limits.UNBOUNDED_AS_KAFKA);
    assertTrue(messages.next());
    assertFalse(messages.hasKeySize());
    assertEquals(18, messages.fieldsEnd());
    open(fastest, cut.cut(4).toBuffer(), Limits.UNBOUNDED_AS_KAFKA);
    assertTrue(messages.next());
    assertTrue(messages.hasKeySize());
    assertEquals(18, messages.size());
    assertEquals(22, messages.fieldsEnd());
  }

  @Test
  void aLimitThatIsReachedIsKeptAndOneThatIsExceededEndsTheWalk() {
    LegacyMessage[] all = LegacyMessage.several(1, 3);
    int size = all[0].toBytes().length - PREFIX_BYTES;
    ByteBuffer batch = LegacyMessage.holding(1, Codec.GZIP, all).toBuffer();
    Limits none = Limits.UNBOUNDED_AS_KAFKA;
    assertEquals(3, walk(batch, none.with(Limit.RECORDS, 3)));
    assertNull(messages.failure());
    assertEquals(2, walk(batch, none.with(Limit.RECORDS, 2)));
    assertEquals(Reason.LIMIT_RECORDS, messages.failure());
    assertEquals(3, walk(batch, none.with(Limit.RECORD_BYTES, size)));
    assertNull(messages.failure());
    assertEquals(0, walk(batch, none.with(Limit.RECORD_BYTES, size - 1)));
    assertEquals(Reason.LIMIT_RECORD_BYTES, messages.failure());
    ByteBuffer large = LegacyMessage.holding(1, Codec.GZIP, manySizes(1)).toBuffer();
    assertEquals(5, walk(large, none.with(Limit.REBUILT_BYTES, 70_024)));
    assertEquals(VALUE_BYTES.length, walk(large, none.with(Limit.REBUILT_BYTES, 70_025)));
  }

  /** Returns how many messages there are until it ends, for whatever reason. */
  private int walk(ByteBuffer batch, Limits limits) {
    open(lowMemory, batch, limits);
    int read = 0;
    while (messages.next()) {
      read++;
    }
    return read;
  }

  @Test
  void offsetsAreSequentialIfTheyAreAbsolutelyFromZero() {
    assertTrue(isSequential(1, 0, 1));
    assertFalse(isSequential(2, 0, 2), "a gap");
    assertFalse(isSequential(2, 0, 1), "from 1");
    assertFalse(isSequential(3, 1, 2), "from 2");
  }

  private boolean isSequential(int outerOffset, int first, int second) {
    LegacyMessage[] all = LegacyMessage.several(1, 2);
    all[0].offset(first);
    all[1].offset(second);
    ByteBuffer batch = LegacyMessage.holding(1, Codec.GZIP, all).offset(outerOffset).toBuffer();
    assertEquals(2, walk(batch, Limits.UNBOUNDED_AS_KAFKA));
    assertTrue(messages.finish());
    return messages.offsetsAreSequential();
  }
}
