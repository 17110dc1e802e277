// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two ways to read a record: in one window, or byte by byte. The differential tests compare the
 * content with Kafka's iterators.
 */
final class SkipKeyValueIteratorTest {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;

  /** Around them, numbers get longer by a byte, or too long for the short way. */
  private static final int[] SHORT_SIZES = {-1, 0, 1, 62, 63, 64, 65, 127, 128, 8190, 8191};

  /** So many bytes must be readable from a record on for it to be read the short way. */
  private static final int SHORT_WORDS = 11;

  private static final int[] SHORT_DELTAS = {0, 1, -1, 63, -64, 64, 8191, 8192, (1 << 20) - 1};
  private static final int[] SHORT_HEADERS = {0, 1, 2, 63};

  private final Decoders decoders = WindowDecoders.fastest();
  private final InputStreamDecoder stream = new InputStreamDecoder();
  private final ByteWindow whole = new ByteWindow();
  private final ByteWindow bytewise = new ByteWindow();
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();
  private final SkipKeyValueIterator others = new SkipKeyValueIterator();

  @AfterEach
  @AfterProperty
  void close() {
    decoders.close();
    stream.close();
  }

  private SkipKeyValueIterator open(byte[] plain, int count, Limits limits) {
    wrap(plain);
    records.open(whole, count, limits);
    return records;
  }

  private SkipKeyValueIterator openStored(byte[] plain, int count, Limits limits) {
    wrap(plain);
    records.openStored(whole, count, plain.length, limits);
    return records;
  }

  private void wrap(byte[] plain) {
    Payload payload = new Payload().wrap(ByteBuffer.wrap(plain), 0, plain.length);
    Objects.requireNonNull(decoders.get(Codec.NONE)).open(payload, NONE, whole);
  }

  // ---- two ways, one answer

  @Property(tries = 3000)
  void bothWaysReadTheSame(@ForAll long seed, @ForAll boolean isStored, @ForAll boolean strict) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(3);
    byte[] plain = RandomRecords.plain(random, count);
    Limits limits = random.nextBoolean() ? NONE : RandomRecords.limits(random);
    openBoth(plain, count, limits, isStored);
    compare(count, strict);
  }

  private void openBoth(byte[] plain, int count, Limits limits, boolean isStored) {
    stream.open(new RandomRecords.ByBytes(plain), bytewise, Long.MAX_VALUE);
    if (isStored) {
      openStored(plain, count, limits);
      others.openStored(bytewise, count, plain.length, limits);
    } else {
      open(plain, count, limits);
      others.open(bytewise, count, limits);
    }
  }

  /** A record that declares any end is read alike, and no byte after the array is read. */
  @Test
  void bothWaysAgreeOnARecordThatEndsAnywhere() {
    byte[] record =
        withKey(5)
            .value(varint(9000, 1), new byte[9000])
            .headerCount(varint(1, 1))
            .header(new byte[70], new byte[80])
            .toBytes();
    int body = RecordBytes.bodyBytes(record);
    for (int end = 0; end <= body; end += end == 40 ? body - 240 : 1) {
      byte[] length = varint(end, 1);
      byte[] plain = Arrays.copyOf(length, length.length + end);
      System.arraycopy(record, record.length - body, plain, length.length, end);
      for (int way = 0; way < 4; way++) {
        openBoth(plain, 1, NONE, (way & 1) == 0);
        compare(1, (way & 2) == 0);
      }
    }
  }

  /** The window starts with headers, and their record ends before the window. */
  @Test
  void bothWaysAgreeOnARecordThatEndsBeforeTheWindowOfItsHeaders() {
    bothWaysReadTheSame(-82550, true, false);
    bothWaysReadTheSame(-82550, true, true);
  }

  private void compare(int count, boolean strict) {
    TwoWalks.assertSame(others, records, count, strict);
  }

  // ---- the short way is taken

  private void assertShort(RecordBytes record) {
    assertShortWithin(record.toBytes(), withKey(SHORT_WORDS).toBytes(), NONE);
  }

  /**
   * The window is filled only by the first read, so only the second record takes the short path.
   */
  private void assertShortWithin(byte[] record, byte[] behind, Limits limits) {
    openBehindAnother(record, behind, limits);
    long from = whole.plainPosition();
    assertTrue(records.nextStrict(null), () -> "fails: " + records.failure());
    assertTrue(records.encoding().isRegular(), () -> record.length + " bytes");
    assertEquals(from + record.length, whole.plainPosition());
  }

  private void openBehindAnother(byte[] record, byte[] behind, Limits limits) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    plain.writeBytes(withKey(0).toBytes());
    plain.writeBytes(record);
    plain.writeBytes(behind);
    open(plain.toByteArray(), 2, limits);
    assertTrue(records.next());
  }

  private static RecordBytes withKey(int size) {
    return new RecordBytes().key(varint(size, 1), new byte[Math.max(size, 0)]);
  }

  /** Only a record that is read the short way is known to be regular. */
  @Test
  void recordsOfKafkaTakeTheShortPath() {
    for (int key = -1; key < 64; key++) {
      for (int size : SHORT_SIZES) {
        byte[] value = new byte[Math.max(size, 0)];
        assertShort(withKey(key).value(varint(size, 1), value));
      }
    }
    for (int first : SHORT_DELTAS) {
      for (int second : SHORT_DELTAS) {
        assertShort(withKey(3).timestampDelta(varint(first, 1)).offsetDelta(varint(second, 1)));
      }
    }
  }

  /** Of values alone: lengths in headers and of keys have fewer bytes. */
  @ParameterizedTest
  @ValueSource(ints = {8192, 10_240, 16_383, 16_384, 100_000, (1 << 20) - 20})
  void largeValuesTakeTheShortPath(int size) {
    assertShort(withKey(3).value(varint(size, 1), new byte[size]));
  }

  @Test
  void headersTakeTheShortPath() {
    for (int count : SHORT_HEADERS) {
      for (int size : SHORT_SIZES) {
        RecordBytes record = withKey(3).headerCount(varint(count, 1));
        for (int i = 0; i < count; i++) {
          byte[] key = new byte[Math.max(size, 0)];
          byte[] value = new byte[Math.max(SHORT_SIZES[i % SHORT_SIZES.length], 0)];
          record.headerPart(varint(key.length, 1), key);
          record.headerPart(varint(SHORT_SIZES[i % SHORT_SIZES.length], 1), value);
        }
        if (record.toBytes().length < 1 << 20) {
          assertShort(record);
        }
      }
    }
  }

  /** Eleven bytes are needed for the two words; a limit may be reached, but not exceeded. */
  @Test
  void recordsAtTheEdgesTakeTheShortPath() {
    byte[] record = new RecordBytes().value(varint(4, 1), new byte[4]).toBytes();
    assertEquals(SHORT_WORDS, record.length - 1);
    byte[] last = new RecordBytes().value(varint(3, 1), new byte[3]).toBytes();
    assertEquals(SHORT_WORDS, last.length);
    assertShortWithin(last, new byte[0], NONE);
    assertShortWithin(record, new byte[0], NONE.with(Limit.RECORD_BYTES, record.length - 1));
    byte[] headers =
        new RecordBytes()
            .headerCount(varint(2, 1))
            .header(new byte[3], new byte[4])
            .header(new byte[0], new byte[5])
            .toBytes();
    assertShortWithin(
        headers, new byte[0], NONE.with(Limit.HEADERS, 2).with(Limit.HEADER_BYTES, 16));
  }

  /**
   * Each number that may be too long for the short way, and a length that the record's end cuts.
   */
  @Test
  void longNumbersAreReadByteByByte() {
    byte[] some = new byte[9000];
    byte[] two = varint(64, 1);
    byte[] four = varint(1 << 20, 1);
    for (RecordBytes record :
        new RecordBytes[] {
          withKey(3).timestampDelta(four),
          withKey(3).offsetDelta(four),
          withKey(64),
          withKey(3).value(varint(64, 3), Arrays.copyOf(some, 64)),
          withKey(3).value(varint(8192, 4), Arrays.copyOf(some, 8192)),
          withKey(3).value(four, new byte[1 << 20]),
          withKey(3).headerCount(varint(0, 2)),
          withKey(3).headerCount(varint(1, 1)).header(Arrays.copyOf(some, 8192), some),
          withKey(3).headerCount(varint(1, 1)).header(new byte[1], some)
        }) {
      byte[] bytes = record.toBytes();
      openBehindAnother(bytes, new byte[0], NONE);
      assertTrue(records.nextStrict(null), () -> "fails: " + records.failure());
      assertFalse(records.encoding().isRegular());
      assertTrue(records.finish());
    }
    RecordBytes cut = withKey(3).headerCount(varint(1, 1)).header(new byte[1], new byte[0]);
    byte[] bytes = cut.toBytes();
    bytes[bytes.length - 1] = two[0];
    openBehindAnother(bytes, Arrays.copyOfRange(two, 1, 2), NONE);
    assertFalse(records.next());
    assertEquals(Reason.RECORD_TRUNCATED, records.failure());
  }

  // ---- limits

  /** The last part of a record that declares less than it takes is counted as well. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordMayTakeAsMuchAsItsLimitWhateverItDeclares(boolean lies) {
    RecordBytes record =
        new RecordBytes()
            .key(varint(4, 1), new byte[4])
            .value(varint(6, 1), new byte[6])
            .headerCount(varint(2, 1))
            .header(new byte[2], new byte[3])
            .header(new byte[0], new byte[0]);
    int bytes = RecordBytes.bodyBytes(record.toBytes());
    byte[] plain = (lies ? record.length(varint(1, 1)) : record).toBytes();
    for (int limit = 1; limit < bytes; limit++) {
      open(plain, 1, NONE.with(Limit.RECORD_BYTES, limit));
      assertFalse(records.next());
      assertEquals(Reason.LIMIT_RECORD_BYTES, records.failure(), "limit " + limit);
      assertTrue(records.fault().first() > limit);
      assertEquals(limit, records.fault().second());
    }
    open(plain, 1, NONE.with(Limit.RECORD_BYTES, bytes));
    assertTrue(records.next());
    assertEquals(2, records.headerCount());
    assertTrue(records.finish());
  }

  @Test
  void headersMayTakeAsMuchAsTheirLimit() {
    byte[] plain =
        new RecordBytes()
            .headerCount(varint(3, 1))
            .header(new byte[2], new byte[3])
            .header(new byte[1], new byte[0])
            .header(new byte[0], new byte[0])
            .toBytes();
    int bytes = 2 + 5 + 2 + 1 + 2;
    for (int limit = 0; limit < bytes; limit++) {
      open(plain, 1, NONE.with(Limit.HEADER_BYTES, limit));
      assertFalse(records.next());
      assertEquals(Reason.LIMIT_HEADER_BYTES, records.failure(), "limit " + limit);
      assertTrue(records.fault().first() > limit);
      assertEquals(limit, records.fault().second());
    }
    open(plain, 1, NONE.with(Limit.HEADER_BYTES, bytes));
    assertTrue(records.next());
    open(plain, 1, NONE.with(Limit.HEADERS, 3));
    assertTrue(records.next());
    assertFailure(open(plain, 1, NONE.with(Limit.HEADERS, 2)), Reason.LIMIT_HEADERS, 3, 2);
  }

  // ---- faults and their numbers

  private static void assertFailure(
      SkipKeyValueIterator of, Reason reason, long first, long second) {
    assertFalse(of.next());
    assertEquals(reason, of.failure());
    assertEquals(first, of.fault().first());
    assertEquals(second, of.fault().second());
    assertFalse(of.next());
    assertFalse(of.finish());
  }

  @Test
  void aDeclaredLengthIsComparedWithTheBytes() {
    byte[] sound = new RecordBytes().toBytes();
    int body = sound.length - 1;
    byte[] two = Arrays.copyOf(sound, 2 * sound.length);
    System.arraycopy(
        new RecordBytes().lengthError(1).toBytes(), 0, two, sound.length, sound.length);
    openStored(two, 2, NONE);
    assertTrue(records.next());
    assertFailure(records, Reason.RECORD_LENGTH_INVALID, body + 1, body);

    byte[] negative = new RecordBytes().length(varint(-1, 1)).toBytes();
    assertFailure(openStored(negative, 1, NONE), Reason.RECORD_LENGTH_MISMATCH, -1, body);
    byte[] tooShort = new RecordBytes().lengthError(-1).toBytes();
    assertFailure(openStored(tooShort, 1, NONE), Reason.RECORD_LENGTH_MISMATCH, body - 1, body);
    open(negative, 1, NONE);
    assertTrue(records.next());
    assertEquals(-1, records.bodySize());
    assertFailure(
        open(negative, 1, NONE.with(Limit.RECORD_BYTES, 50)), Reason.LIMIT_RECORD_BYTES, -1, 50);
  }

  @Test
  void aHeaderCountIsComparedWithTheBytes() {
    byte[] many =
        new RecordBytes().headerCount(varint(3, 1)).header(new byte[0], new byte[0]).toBytes();
    assertFailure(openStored(many, 1, NONE), Reason.RECORD_HEADER_COUNT_INVALID, 3, 2);
    byte[] negative = new RecordBytes().headerCount(varint(-1, 1)).toBytes();
    assertFailure(openStored(negative, 1, NONE), Reason.RECORD_HEADER_COUNT_INVALID, -1, 0);
    Limits ten = NONE.with(Limit.HEADERS, 10);
    assertFailure(open(negative, 1, ten), Reason.RECORD_HEADER_COUNT_INVALID, -1, 10);
    byte[] noKey =
        new RecordBytes()
            .headerCount(varint(1, 1))
            .headerPart(varint(-1, 1), new byte[0])
            .headerPart(varint(0, 1), new byte[0])
            .toBytes();
    assertFailure(openStored(noKey, 1, NONE), Reason.RECORD_HEADER_KEY_INVALID, -1, 0);
  }

  @Test
  void missingRecordsAndBytesLeftAreReported() {
    byte[] one = new RecordBytes().toBytes();
    open(one, 2, NONE);
    assertTrue(records.next());
    assertFailure(records, Reason.PAYLOAD_RECORDS_MISSING, 2, 1);
    byte[] cut = Arrays.copyOf(one, one.length - 1);
    open(cut, 1, NONE);
    assertFalse(records.next());
    assertEquals(Reason.RECORD_TRUNCATED, records.failure());
    assertFalse(records.finish());

    byte[] two = Arrays.copyOf(one, one.length + 1);
    open(two, 1, NONE);
    assertTrue(records.next());
    assertFalse(records.finish());
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, records.failure());
    assertFailure(open(one, -1, NONE), Reason.PAYLOAD_COUNT_NEGATIVE, -1, 0);
    assertFailure(open(one, 3, NONE.with(Limit.RECORDS, 2)), Reason.LIMIT_RECORDS, 3, 2);
    assertTrue(open(one, 1, NONE.with(Limit.RECORDS, 1)).next());
  }

  /** A codec may find a fault after the last record, for example a wrong checksum. */
  @Test
  void aFaultAfterTheLastRecordIsReported() {
    byte[] one = new RecordBytes().toBytes();
    stream.open(
        new SequenceInputStream(new RandomRecords.ByBytes(one), new Bad()),
        bytewise,
        Long.MAX_VALUE);
    others.open(bytewise, 1, NONE);
    assertTrue(others.next());
    assertFalse(others.finish());
    assertEquals(Reason.CODEC_DATA_CORRUPT, others.failure());
    assertSame(bytewise, others.window());
  }

  private static final class Bad extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("bad");
    }

    @Override
    public int read(byte[] target, int at, int most) throws IOException {
      return read();
    }
  }

  /** Kafka does not look into a batch that declares no record. */
  @Test
  void aBatchWithoutRecordsIsNotRead() {
    open(new RecordBytes().toBytes(), 0, NONE);
    assertFalse(records.next());
    assertTrue(records.finish());
    assertNull(records.failure());
  }
}
