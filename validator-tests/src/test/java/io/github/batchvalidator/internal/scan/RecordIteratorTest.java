// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.InputStreamDecoder;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.RandomRecords;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whole records, in one piece or assembled, and the operands of their faults. The differential
 * tests compare the content with Kafka's iterators.
 */
final class RecordIteratorTest {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;

  private final Decoders decoders = WindowDecoders.fastest();
  private final InputStreamDecoder stream = new InputStreamDecoder();
  private final ByteWindow whole = new ByteWindow();
  private final ByteWindow bytewise = new ByteWindow();
  private final RecordIterator records = new RecordIterator();
  private final RecordIterator others = new RecordIterator();

  /** Reads the same in its own way. */
  private final SkipKeyValueIterator skipping = new SkipKeyValueIterator();

  private final InputStreamDecoder thirdStream = new InputStreamDecoder();
  private final ByteWindow thirdWindow = new ByteWindow();

  @AfterEach
  @AfterProperty
  void close() {
    decoders.close();
    stream.close();
    thirdStream.close();
  }

  private RecordIterator open(byte[] plain, int count, Limits limits) {
    wrap(plain);
    records.open(whole, count, limits);
    return records;
  }

  private RecordIterator openStored(byte[] plain, int count, Limits limits) {
    wrap(plain);
    records.openStored(whole, count, plain.length, limits);
    return records;
  }

  private void wrap(byte[] plain) {
    Payload payload = new Payload().wrap(ByteBuffer.wrap(plain), 0, plain.length);
    Objects.requireNonNull(decoders.get(Codec.NONE)).open(payload, NONE, whole);
  }

  // ---- in one piece or put together, one answer

  @Property(tries = 3000)
  void bothWaysReadTheSame(@ForAll long seed, @ForAll boolean isStored) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(3);
    byte[] plain = RandomRecords.plain(random, count);
    Limits limits = random.nextBoolean() ? NONE : RandomRecords.limits(random);
    stream.open(new RandomRecords.ByBytes(plain), bytewise, Long.MAX_VALUE);
    if (isStored) {
      openStored(plain, count, limits);
      others.openStored(bytewise, count, plain.length, limits);
    } else {
      open(plain, count, limits);
      others.open(bytewise, count, limits);
    }
    thirdStream.open(new ByteArrayInputStream(plain), thirdWindow, Long.MAX_VALUE);
    skipping.openStored(thirdWindow, count, plain.length, NONE);
    compare(count, plain);
  }

  private void compare(int count, byte[] plain) {
    int read = 0;
    while (records.next()) {
      assertTrue(others.next(), () -> "ends: " + others.failure());
      assertNull(records.failure());
      assertEquals(read++, records.index());
      assertEquals(others.start(), records.start());
      assertEquals(others.bodySize(), records.bodySize());
      assertEquals(others.attributes(), records.attributes());
      assertEquals(others.timestampDelta(), records.timestampDelta());
      assertEquals(others.offsetDelta(), records.offsetDelta());
      assertEquals(others.keySize(), records.keySize());
      assertEquals(others.valueSize(), records.valueSize());
      assertEquals(others.headerCount(), records.headerCount());
      assertEquals(others.isCanonical(), records.isCanonical());
      assertEquals(others.hasCanonicalHeaders(), records.hasCanonicalHeaders());
      assertEquals(others.declaredBytes(), records.declaredBytes());
      assertSamePlaces(plain);
      assertSkipped();
    }
    assertFalse(others.next());
    assertEquals(others.finish(), records.finish());
    assertEquals(others.failure(), records.failure());
    assertEquals(others.fault().first(), records.fault().first());
    assertEquals(others.fault().second(), records.fault().second());
    assertTrue(read == count || records.failure() != null, "ends early");
  }

  private void assertSkipped() {
    assertTrue(skipping.nextStrict(null), () -> "ends: " + skipping.failure());
    assertEquals(skipping.bodySize(), records.bodySize());
    assertEquals(skipping.attributes(), records.attributes());
    assertEquals(skipping.timestampDelta(), records.timestampDelta());
    assertEquals(skipping.offsetDelta(), records.offsetDelta());
    assertEquals(skipping.keySize(), records.keySize());
    assertEquals(skipping.valueSize(), records.valueSize());
    assertEquals(skipping.headerCount(), records.headerCount());
    RecordEncoding form = skipping.encoding();
    boolean isCanonical =
        form.isRegular()
            || (form.isShortest()
                && skipping.attributes() == 0
                && form.leastLength() == -1
                && form.malformedHeader() == RecordEncoding.NONE);
    assertEquals(isCanonical, records.isCanonical());
  }

  /** Asserts that the array holds the bytes of each field at the reported position. */
  private void assertSamePlaces(byte[] plain) {
    int behind = (int) whole.plainPosition();
    for (RecordIterator of : new RecordIterator[] {records, others}) {
      int shift = behind - of.end();
      assertPart(plain, shift, of, of.keyPosition(), of.keySize());
      assertPart(plain, shift, of, of.valuePosition(), of.valueSize());
      assertPart(plain, shift, of, of.headersPosition(), of.end() - of.headersPosition());
      if (of.isCanonical()) {
        assertEquals(of.start(), of.position() + shift);
        assertPart(plain, shift, of, of.position(), of.end() - of.position());
      }
    }
    int shift = others.end() - records.end();
    assertEquals(others.keyPosition(), records.keyPosition() + shift);
    assertEquals(others.valuePosition(), records.valuePosition() + shift);
    assertEquals(others.headersPosition(), records.headersPosition() + shift);
  }

  private static void assertPart(byte[] plain, int shift, RecordIterator of, int at, int size) {
    assertArrayEquals(
        Arrays.copyOfRange(plain, at + shift, at + shift + Math.max(size, 0)),
        Arrays.copyOfRange(of.array(), at, at + Math.max(size, 0)));
  }

  // ---- as Kafka writes it, or not

  private void assertForm(RecordBytes record, boolean isCanonical, boolean hasCanonicalHeaders) {
    assertTrue(open(record.toBytes(), 1, NONE).next());
    assertEquals(isCanonical, records.isCanonical());
    assertEquals(hasCanonicalHeaders, records.hasCanonicalHeaders());
  }

  private static RecordBytes withHeader(byte[] keySize, byte[] key, byte[] valueSize) {
    RecordBytes record = new RecordBytes().headerCount(varint(1, 1));
    return record.headerPart(keySize, key).headerPart(valueSize, new byte[0]);
  }

  /** Headers that are canonical are copied as they are, whatever the rest is. */
  @Test
  void aCanonicalRecordIsWrittenByKafkaInTheSameBytes() {
    byte[] none = {};
    byte[] one = varint(1, 1);
    byte[] isNull = varint(-1, 1);
    byte[] key = {'h'};
    assertForm(withHeader(one, key, varint(0, 1)), true, true);
    assertForm(withHeader(one, key, isNull), true, true);
    assertForm(withHeader(one, key, varint(-2, 1)), false, false);
    assertForm(withHeader(one, key, varint(-1, 2)), false, false);
    assertForm(withHeader(varint(1, 2), key, isNull), false, false);
    assertForm(withHeader(one, new byte[] {-1}, isNull), false, false);
    assertForm(withHeader(one, key, isNull).offsetDelta(varint(0, 2)), false, true);
    assertForm(withHeader(one, key, isNull).attributes(1), false, true);
    assertForm(withHeader(one, key, isNull).key(isNull, none), true, true);
    assertForm(withHeader(one, key, isNull).key(varint(-2, 1), none), false, true);
    assertForm(withHeader(one, key, isNull).value(isNull, none), true, true);
    assertForm(withHeader(one, key, isNull).value(varint(-2, 1), none), false, true);
  }

  @Test
  void aLengthThatIsTooLongIsThatOfItsRecord() {
    byte[] sound = new RecordBytes().toBytes();
    byte[] odd = new RecordBytes().length(varint(sound.length - 1, 2)).toBytes();
    byte[] plain = Arrays.copyOf(odd, odd.length + sound.length);
    System.arraycopy(sound, 0, plain, odd.length, sound.length);
    open(plain, 2, NONE);
    assertTrue(records.next());
    assertFalse(records.isCanonical());
    assertTrue(records.next());
    assertTrue(records.isCanonical());
  }

  // ---- limits

  @Test
  void eachLimitMayBeReached() {
    byte[] plain =
        new RecordBytes()
            .headerCount(varint(2, 1))
            .header(new byte[2], new byte[3])
            .header(new byte[1], new byte[0])
            .toBytes();
    int body = RecordBytes.bodyBytes(plain);
    int headerBytes = 7 + 3;
    assertTrue(open(plain, 1, NONE.with(Limit.RECORD_BYTES, body)).next());
    assertEquals(plain.length, records.declaredBytes());
    assertTrue(
        open(plain, 1, NONE.with(Limit.HEADERS, 2).with(Limit.HEADER_BYTES, headerBytes)).next());
    assertFailure(
        open(plain, 1, NONE.with(Limit.RECORD_BYTES, body - 1)),
        Reason.LIMIT_RECORD_BYTES,
        body,
        body - 1);
    assertFailure(open(plain, 1, NONE.with(Limit.HEADERS, 1)), Reason.LIMIT_HEADERS, 2, 1);
    assertFailure(
        open(plain, 1, NONE.with(Limit.HEADER_BYTES, headerBytes - 1)),
        Reason.LIMIT_HEADER_BYTES,
        headerBytes,
        headerBytes - 1);
  }

  /** A rebuild assembles records in memory, so their size is bounded at every level. */
  @Test
  void anAssembledRecordMayTakeItsLimit() {
    byte[] value = new byte[100_000];
    byte[] plain = new RecordBytes().value(varint(value.length, 1), value).toBytes();
    int body = RecordBytes.bodyBytes(plain);
    int room = body + 5;
    openStream(plain, NONE.with(Limit.REBUILT_BYTES, room));
    assertTrue(records.next(), () -> "fails: " + records.failure());
    assertEquals(value.length, records.valueSize());
    assertTrue(records.finish());
    assertEquals(room, records.heapBytes());
    records.release();
    openStream(plain, NONE.with(Limit.REBUILT_BYTES, room - 1));
    assertFalse(records.next());
    assertEquals(Reason.LIMIT_RECORD_BYTES, records.failure());
    assertEquals(room, records.fault().first());
    assertEquals(room - 1, records.fault().second());
  }

  private void openStream(byte[] plain, Limits limits) {
    stream.open(new ByteArrayInputStream(plain), bytewise, Long.MAX_VALUE);
    records.open(bytewise, 1, limits);
  }

  /** Scratch that one batch needed is kept for a while, not for ever. */
  @Test
  void scratchMemoryIsReleased() {
    byte[] value = new byte[100_000];
    openStream(new RecordBytes().value(varint(value.length, 1), value).toBytes(), NONE);
    assertTrue(records.next());
    assertTrue(records.array().length > value.length);
    int batches = 0;
    do {
      records.release();
      batches++;
    } while (records.heapBytes() > 1 << 16 && batches < 1000);
    assertTrue(batches > 1 && batches < 1000, batches + " batches");
    assertEquals(0, records.array().length);
  }

  // ---- faults and their numbers

  private static void assertFailure(RecordIterator of, Reason reason, long first, long second) {
    assertFalse(of.next());
    assertEquals(reason, of.failure());
    assertEquals(first, of.fault().first());
    assertEquals(second, of.fault().second());
    assertFalse(of.next());
    assertFalse(of.finish());
  }

  private void assertFailure(RecordBytes record, Reason reason, long first, long second) {
    assertFailure(open(record.toBytes(), 1, NONE), reason, first, second);
    assertFailure(openStored(record.toBytes(), 1, NONE), reason, first, second);
  }

  @Test
  void aDeclaredLengthIsComparedWithTheBytes() {
    byte[] sound = new RecordBytes().toBytes();
    int body = RecordBytes.bodyBytes(sound);
    byte[] negative = new RecordBytes().length(varint(-1, 1)).toBytes();
    assertFailure(open(negative, 1, NONE), Reason.RECORD_LENGTH_INVALID, -1, Integer.MAX_VALUE);
    assertFailure(openStored(negative, 1, NONE), Reason.RECORD_LENGTH_INVALID, -1, body);
    byte[] tooLong = new RecordBytes().lengthError(1).toBytes();
    assertFailure(openStored(tooLong, 1, NONE), Reason.RECORD_LENGTH_INVALID, body + 1, body);
    open(tooLong, 1, NONE);
    assertFalse(records.next());
    assertEquals(Reason.RECORD_TRUNCATED, records.failure());
    open(sound, 2, NONE);
    assertTrue(records.next());
    assertFailure(records, Reason.PAYLOAD_RECORDS_MISSING, 2, 1);
    RecordBytes empty = new RecordBytes().length(varint(0, 1));
    assertFailure(empty, Reason.RECORD_LENGTH_MISMATCH, 0, 1);
  }

  /** The fault reports where the fields end, if that is known, and where the record ends. */
  @Test
  void aDeclaredLengthIsComparedWithTheFields() {
    int body = RecordBytes.bodyBytes(new RecordBytes().toBytes());
    byte[] two = {0, 0};
    assertFailure(
        new RecordBytes().headerPart(varint(0, 1), two),
        Reason.RECORD_LENGTH_MISMATCH,
        body + 3,
        body);
    // Behind the key there are value and header count, three bytes.
    assertFailure(
        new RecordBytes().key(varint(10, 1), new byte[1]),
        Reason.RECORD_LENGTH_MISMATCH,
        body,
        body - 4 + 10);
    assertFailure(
        new RecordBytes().value(varint(10, 1), new byte[1]),
        Reason.RECORD_LENGTH_MISMATCH,
        body,
        body - 2 + 10);
    assertFailure(
        new RecordBytes().headerCount(new byte[0]), Reason.RECORD_LENGTH_MISMATCH, body - 1, body);
    byte[] tooLong = {-1, -1, -1, -1, -1, 1};
    assertFailure(new RecordBytes().offsetDelta(tooLong), Reason.RECORD_VARINT_TOO_LONG, 8, 0);
  }

  @Test
  void headerLengthsAreComparedWithTheBytes() {
    assertFailure(
        new RecordBytes().headerCount(varint(-1, 1)), Reason.RECORD_HEADER_COUNT_INVALID, -1, 0);
    RecordBytes three = new RecordBytes().headerCount(varint(3, 1));
    assertFailure(three.header(new byte[0], new byte[0]), Reason.RECORD_HEADER_COUNT_INVALID, 3, 2);
    RecordBytes two = new RecordBytes().headerCount(varint(2, 1));
    int body = RecordBytes.bodyBytes(two.toBytes());
    assertFailure(
        two.header(new byte[0], new byte[0]), Reason.RECORD_LENGTH_MISMATCH, body + 2, body + 3);
    RecordBytes noKey =
        new RecordBytes()
            .headerCount(varint(1, 1))
            .headerPart(varint(-1, 1), new byte[0])
            .headerPart(varint(0, 1), new byte[0]);
    assertFailure(noKey, Reason.RECORD_HEADER_KEY_INVALID, -1, 0);
    RecordBytes longKey =
        new RecordBytes().headerCount(varint(1, 1)).headerPart(varint(5, 1), new byte[1]);
    assertFailure(longKey, Reason.RECORD_LENGTH_MISMATCH, body + 2, body + 1 + 5);
    RecordBytes longValue =
        new RecordBytes()
            .headerCount(varint(1, 1))
            .headerPart(varint(0, 1), new byte[0])
            .headerPart(varint(5, 1), new byte[1]);
    assertFailure(longValue, Reason.RECORD_LENGTH_MISMATCH, body + 3, body + 2 + 5);
  }
}
