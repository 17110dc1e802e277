// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayInputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteWindowTest {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    63,
    64,
    -64,
    -65,
    8191,
    8192,
    -8192,
    -8193,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    1L << 32,
    1L << 62
  };
  private static final int RANDOM_ROUNDS = 20_000;

  private final ByteWindow window = new ByteWindow();
  private final Payload payload = new Payload();
  private final StoredDecoder whole = new StoredDecoder(Integer.MAX_VALUE);

  private ByteWindow over(PayloadDecoder decoder, byte... bytes) {
    payload.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
    decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    return window;
  }

  private ByteWindow over(int... bytes) {
    return over(whole, Bytes.of(bytes));
  }

  /** Zig-zag numbers of every length, edges first. */
  private static ByteBuffer numbers(boolean wide) {
    ByteBuffer bytes = ByteBuffer.allocate((RANDOM_ROUNDS + EDGES.length) * 10);
    Random random = new Random(7);
    for (int i = 0; i < EDGES.length + RANDOM_ROUNDS; i++) {
      long value = i < EDGES.length ? EDGES[i] : random.nextLong() >> random.nextInt(64);
      if (wide) {
        ByteUtils.writeVarlong(value, bytes);
      } else {
        ByteUtils.writeVarint((int) value, bytes);
      }
    }
    return bytes.flip();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 2048, Integer.MAX_VALUE})
  void readsVarintsAcrossRefills(int windowBytes) {
    ByteBuffer bytes = numbers(false);
    payload.wrap(bytes, 0, bytes.limit());
    new StoredDecoder(windowBytes).open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    while (bytes.hasRemaining()) {
      assertEquals(ByteUtils.readVarint(bytes), window.readVarint());
      assertEquals(bytes.position(), window.plainPosition());
    }
    assertNull(window.failure());
    assertFalse(window.refill());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 2048, Integer.MAX_VALUE})
  void readsVarlongsAcrossRefills(int windowBytes) {
    ByteBuffer bytes = numbers(true);
    payload.wrap(bytes, 0, bytes.limit());
    new StoredDecoder(windowBytes).open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    while (bytes.hasRemaining()) {
      assertEquals(ByteUtils.readVarlong(bytes), window.readVarlong());
      assertEquals(bytes.position(), window.plainPosition());
    }
    assertNull(window.failure());
    assertFalse(window.refill());
  }

  /** Any bytes: overlong, cut, and with bits that do not fit, as Kafka reads them. */
  @Test
  void readsAnyBytesAsKafkaDoes() {
    Random random = new Random(11);
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(13)];
      random.nextBytes(bytes);
      int continued = random.nextInt(13);
      for (int i = 0; i < Math.min(continued, bytes.length); i++) {
        bytes[i] |= (byte) 0x80;
      }
      ByteBuffer kafka = ByteBuffer.wrap(bytes);
      assertSame(kafka, varint(kafka), over(whole, bytes).readVarint());
      kafka.rewind();
      assertSame(kafka, varlong(kafka), over(whole, bytes).readVarlong());
    }
  }

  /** Compares with what Kafka read or, if that is not a number, why it did not. */
  private void assertSame(ByteBuffer kafka, Object expected, long value) {
    if (expected instanceof Long number) {
      assertNull(window.failure());
      assertEquals(number, value);
      assertEquals(kafka.position(), window.plainPosition());
    } else {
      assertEquals(expected, window.failure());
      assertEquals(0, value);
    }
  }

  private static Object varint(ByteBuffer bytes) {
    try {
      return (long) ByteUtils.readVarint(bytes);
    } catch (BufferUnderflowException e) {
      return Reason.RECORD_TRUNCATED;
    } catch (IllegalArgumentException e) {
      return Reason.RECORD_VARINT_TOO_LONG;
    }
  }

  private static Object varlong(ByteBuffer bytes) {
    try {
      return ByteUtils.readVarlong(bytes);
    } catch (BufferUnderflowException e) {
      return Reason.RECORD_TRUNCATED;
    } catch (IllegalArgumentException e) {
      return Reason.RECORD_VARINT_TOO_LONG;
    }
  }

  @Test
  void dropsTheBitsOfTheLastByteThatDoNotFit() {
    assertEquals(Integer.MIN_VALUE, over(0xff, 0xff, 0xff, 0xff, 0x0f).readVarint());
    assertEquals(Integer.MIN_VALUE, over(0xff, 0xff, 0xff, 0xff, 0x7f).readVarint());
    int[] wide = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    assertEquals(Long.MIN_VALUE, over(wide).readVarlong());
    assertNull(window.failure());
  }

  @Test
  void takesNumbersOfMoreBytesThanNeeded() {
    assertEquals(1, over(0x82, 0x80, 0x80, 0x80, 0x00).readVarint());
    assertEquals(5, window.plainPosition());
    over(0x82, 0x80, 0x80, 0x80, 0x80, 0x00).readVarint();
    assertFailed(Reason.RECORD_VARINT_TOO_LONG);
  }

  private void assertFailed(@Nullable Reason reason) {
    assertEquals(reason, window.failure());
    assertEquals(0, window.available());
    assertFalse(window.refill());
    assertEquals(0, window.readByte());
    assertEquals(0, window.readVarint());
    assertEquals(0, window.readVarlong());
    window.skip(1);
    assertEquals(reason, window.failure());
  }

  @Test
  void theFirstFaultStays() {
    assertEquals(0, over(0x80).readVarint());
    assertEquals(1, window.plainPosition());
    assertFailed(Reason.RECORD_TRUNCATED);
    over(1).skip(2);
    assertFailed(Reason.RECORD_TRUNCATED);
    assertEquals(0, over().readByte());
    assertFailed(Reason.RECORD_TRUNCATED);
    assertFalse(window.fail(Reason.CODEC_DATA_CORRUPT, 3));
    assertFailed(Reason.RECORD_TRUNCATED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 2048, Integer.MAX_VALUE})
  void skipsAcrossRefills(int windowBytes) {
    byte[] bytes = Plain.RANDOM.bytes(10_000);
    over(new StoredDecoder(windowBytes), bytes);
    int at = 0;
    for (int count = 0; at + count < bytes.length; count++) {
      window.skip(count);
      at += count;
      assertEquals(at, window.plainPosition());
      assertEquals(bytes[at++], window.readByte());
    }
    window.skip(bytes.length - at);
    assertNull(window.failure());
    assertEquals(bytes.length, window.plainPosition());
    assertFalse(window.refill());
  }

  @Test
  void skippingNothingOrLessDoesNothing() {
    over(5, 6).skip(0);
    window.skip(-1);
    window.skip(Integer.MIN_VALUE);
    assertEquals(5, window.readByte());
    assertNull(window.failure());
    window.skip(Integer.MAX_VALUE);
    assertEquals(Reason.RECORD_TRUNCATED, window.failure());
    assertEquals(2, window.plainPosition());
  }

  @Test
  void aWrappedArrayIsReadToItsEnd() {
    window.wrap(Bytes.of(9, 1, 2, 3, 9), 1, 3, 3);
    assertEquals(1, window.readByte());
    window.skip(2);
    assertEquals(3, window.plainPosition());
    assertEquals(3, window.inputPosition());
    assertFalse(window.refill());
    assertNull(window.failure());
    window.skip(1);
    assertEquals(Reason.RECORD_TRUNCATED, window.failure());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aWrappedArrayIsLimited(int most) {
    window.wrap(Bytes.of(9, 1, 2, 3, 9), 1, 3, most);
    window.skip(most);
    assertEquals(most, window.plainPosition());
    assertFalse(window.refill());
    assertEquals(Reason.LIMIT_PLAIN_BYTES, window.failure());
    assertEquals(most + 1, window.fault().first());
    assertEquals(most, window.fault().second());
    assertEquals(3, window.inputPosition());
  }

  @Test
  void anEmptyWindowHasNothing() {
    over(1, 2, 3).readByte();
    window.clear();
    assertFalse(window.refill());
    assertNull(window.failure());
    assertEquals(0, window.plainPosition());
    assertEquals(0, window.inputPosition());
    assertEquals(0, window.array().length);
  }

  @Test
  void shortNumbersOutOfAWord() {
    byte[] bytes = new byte[ByteWindow.PEEK_BYTES];
    for (int value = -(1 << 21); value < 1 << 21; value += Math.abs(value) < 9000 ? 1 : 61) {
      ByteBuffer target = ByteBuffer.wrap(bytes).putLong(0, -1L);
      ByteUtils.writeVarint(value, target);
      long word = ByteWindow.peek(bytes, 0);
      int length = ShortVarint.length(word);
      assertEquals(target.position(), length);
      if (length <= ShortVarint.MAX_BYTES) {
        assertEquals(value, ShortVarint.decode(word, length));
        assertFalse(value >= 0 && ShortVarint.isOverlong(value, length));
      }
    }
  }

  @Test
  void shortNumbersThatTakeMoreThanTheyNeed() {
    for (int value : new int[] {0, 1, 63, 64, 8191, 8192, (1 << 20) - 1}) {
      int shortest = RecordLayout.sizeOfVarint(value);
      for (int length = 1; length <= ShortVarint.MAX_BYTES; length++) {
        assertEquals(
            length > shortest, ShortVarint.isOverlong(value, length), value + " in " + length);
      }
    }
  }

  @Test
  void inputPositionFollowsTheDecoder() {
    over(new StoredDecoder(2), Bytes.of(1, 2, 3, 4, 5));
    assertEquals(0, window.inputPosition());
    assertTrue(window.refill());
    int read = window.inputPosition();
    assertTrue(2 <= read && read <= 5, () -> "read " + read);
    window.skip(6);
    assertEquals(5, window.inputPosition());
  }

  /** Only some bits count in the fifth byte of an int and in the tenth byte of a long. */
  @Test
  void aNumberIsShortestIfAllBitsOfItsLastByteCount() {
    byte[] number = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 0};
    for (int last = 0; last < 0x80; last++) {
      number[number.length - 1] = (byte) last;
      over(whole, number).readVarlong();
      assertEquals(last == 1, window.isShortest(), "last byte " + last);
      over(whole, Arrays.copyOfRange(number, 5, 10)).readVarint();
      assertEquals(last > 0 && last < 16, window.isShortest(), "last byte " + last);
      over(whole, Arrays.copyOfRange(number, 6, 10)).readVarint();
      assertEquals(last > 0, window.isShortest(), "last byte " + last);
      assertNull(window.failure());
    }
  }

  @Test
  void expectedBytesAreThoseNotYetBuffered() {
    over(1, 2, 3);
    assertTrue(window.refill());
    window.expect(10);
    assertEquals(7, window.expected());
    window.readByte();
    window.readByte();
    window.expect(5);
    assertEquals(4, window.expected());
    window.expect(0);
    assertEquals(0, window.expected());
  }

  @Test
  void beyondItsLimitThereIsNothing() {
    try (InputStreamDecoder stream = new InputStreamDecoder()) {
      for (int limit : new int[] {0, 4, 5}) {
        stream.open(new ByteArrayInputStream(new byte[5]), window, limit);
        window.skip(limit);
        assertEquals(limit, window.plainPosition());
        assertNull(window.failure());
        assertFalse(window.refill());
        assertEquals(limit == 5 ? null : Reason.LIMIT_PLAIN_BYTES, window.failure());
        window.connect(stream, 5, limit);
        stream.open(new ByteArrayInputStream(new byte[6]), new ByteWindow(), 6);
        window.skip(limit);
        assertNull(window.failure());
        assertFalse(window.refill());
        boolean byRatio = limit < 5;
        assertEquals(
            byRatio ? Reason.LIMIT_RATIO : Reason.LIMIT_PLAIN_BYTES, window.failure(), "" + limit);
        assertEquals(limit + 1, window.fault().first());
        assertEquals(limit, window.fault().second());
        assertEquals(limit, window.plainPosition());
      }
    }
  }
}
