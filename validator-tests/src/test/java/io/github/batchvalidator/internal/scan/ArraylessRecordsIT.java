// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.InputStreamDecoder;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RandomRecords;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

/** Records of buffers that are no array: large ones are read where they lie, others are copied. */
final class ArraylessRecordsIT {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;

  /** Records from this size on are read where they lie. */
  private static final int LARGE_BYTES = 512;

  /** The bytes around the records. They must never be read as records. */
  private static final byte[] GUARDS = {0, 1, -1};

  private final Decoders decoders = WindowDecoders.fastest();
  private final PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.NONE));
  private final InputStreamDecoder stream = new InputStreamDecoder();
  private final ByteWindow window = new ByteWindow();
  private final ByteWindow bytewise = new ByteWindow();
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();
  private final SkipKeyValueIterator others = new SkipKeyValueIterator();

  @AfterEach
  @AfterProperty
  void close() {
    decoders.close();
    stream.close();
  }

  private void open(BufferKind kind, byte guard, byte[] plain, Limits limits) {
    ByteBuffer buffer = kind.holding(plain, guard);
    decoder.open(new Payload().wrap(buffer, buffer.position(), plain.length), limits, window);
  }

  private void open(byte[] plain, int count, Limits limits) {
    open(BufferKind.DIRECT, (byte) 0, plain, limits);
    records.openStored(window, count, plain.length, limits);
  }

  // ---- the same is read as byte by byte

  private void compare(byte[] plain, int count, Limits limits, boolean isStored, boolean strict) {
    stream.open(new RandomRecords.ByBytes(plain), bytewise, Long.MAX_VALUE);
    if (isStored) {
      records.openStored(window, count, plain.length, limits);
      others.openStored(bytewise, count, plain.length, limits);
    } else {
      records.open(window, count, limits);
      others.open(bytewise, count, limits);
    }
    TwoWalks.assertSame(others, records, count, strict);
  }

  @Property(tries = 3000)
  void randomRecords(@ForAll long seed, @ForAll boolean isStored, @ForAll boolean strict) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(6);
    byte[] plain = RandomRecords.plain(random, count, 2);
    Limits limits = random.nextInt(4) > 0 ? NONE : RandomRecords.limits(random);
    BufferKind kind = random.nextBoolean() ? BufferKind.DIRECT : BufferKind.READ_ONLY;
    open(kind, GUARDS[random.nextInt(GUARDS.length)], plain, limits);
    compare(plain, count, limits, isStored, strict);
  }

  /** Each byte of a record's head and end, whatever it is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damagedRecords(boolean strict) {
    byte[] plain = times(2, large(700));
    int first = plain.length / 2;
    for (int at = -2; at < 16; at++) {
      for (int value = 0; value < 256; value++) {
        byte[] damaged = plain.clone();
        damaged[first + at] = (byte) value;
        open(BufferKind.DIRECT, (byte) 0, damaged, NONE);
        compare(damaged, 2, NONE, (value & 1) == 0, strict);
      }
    }
  }

  /** Plain and stored blocks, records across their borders, and small windows. */
  @Property(tries = 1000)
  void randomRecordsInBlocksOfLz4(@ForAll long seed, @ForAll boolean strict) throws IOException {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(6);
    byte[] plain = RandomRecords.plain(random, count, 2);
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    for (int at = 0; at < plain.length; ) {
      int size = Math.min(plain.length - at, 1 + random.nextInt(random.nextInt(64 << 10) + 1));
      byte[] block = Arrays.copyOfRange(plain, at, at + size);
      blocks.writeBytes(
          random.nextInt(3) == 0 ? Lz4Frames.compressed(block) : Lz4Frames.stored(block));
      at += size;
    }
    byte[] frame =
        Lz4Frames.frame(0, Lz4Frames.MAX_64K, blocks.toByteArray(), new byte[Integer.BYTES]);
    compareCompressed(Codec.LZ4, frame, plain, count, random, strict);
  }

  /** What zstd streams lies outside of the heap wherever the payload does. */
  @Property(tries = 1000)
  void randomRecordsInFramesOfZstd(@ForAll long seed, @ForAll boolean strict) throws IOException {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(12);
    byte[] plain = RandomRecords.plain(random, count, 2);
    int cut = random.nextInt(plain.length + 1);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(Batches.compress(Codec.ZSTD, Arrays.copyOf(plain, cut)));
    frames.writeBytes(Batches.compress(Codec.ZSTD, Arrays.copyOfRange(plain, cut, plain.length)));
    compareCompressed(Codec.ZSTD, frames.toByteArray(), plain, count, random, strict);
  }

  private void compareCompressed(
      Codec codec, byte[] stored, byte[] plain, int count, Random random, boolean strict) {
    try (Decoders of =
        random.nextBoolean() ? WindowDecoders.fastest() : WindowDecoders.lowMemory()) {
      ByteBuffer buffer = BufferKind.DIRECT.holding(stored, GUARDS[random.nextInt(GUARDS.length)]);
      Payload payload = new Payload().wrap(buffer, buffer.position(), stored.length);
      Objects.requireNonNull(of.get(codec)).open(payload, NONE, window);
      compare(plain, count, NONE, false, strict);
    }
  }

  /** The rest of an unfinished walk must not be read as a part of the next payload. */
  @Test
  void payloadsThatWereLeftHalfWay() {
    byte[] plain = times(5, large(3000));
    byte[] other = times(3, large(40));
    for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
      open(plain, 5, NONE);
      assertTrue(records.next());
      assertTrue(records.next());
      open(kind, (byte) 0, other, NONE);
      compare(other, 3, NONE, true, true);
    }
  }

  /** Wherever a record says that it ends, and whatever is there. */
  @Test
  void recordsThatEndAnywhere() {
    byte[] record = large(700).toBytes();
    int body = RecordBytes.bodyBytes(record);
    for (int end = LARGE_BYTES - 20; end <= body; end++) {
      byte[] length = varint(end, 1);
      byte[] plain = Arrays.copyOf(length, length.length + end);
      System.arraycopy(record, record.length - body, plain, length.length, end);
      for (byte guard : GUARDS) {
        for (int way = 0; way < 4; way++) {
          open(BufferKind.DIRECT, guard, plain, NONE);
          compare(plain, 1, NONE, (way & 1) == 0, (way & 2) == 0);
        }
      }
    }
  }

  // ---- large records are read where they lie

  private static RecordBytes large(int valueBytes) {
    return new RecordBytes()
        .key(varint(5, 1), new byte[5])
        .value(varint(valueBytes, 1), new byte[valueBytes]);
  }

  private static byte[] times(int count, RecordBytes record) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      plain.writeBytes(record.toBytes());
    }
    return plain.toByteArray();
  }

  /** Nothing is copied, so that no room for a copy is made. */
  @ParameterizedTest
  @ValueSource(ints = {510, 1024, 8191, 8192, 20_000, 100_000})
  void largeRecordsAreNotCopied(int valueBytes) {
    byte[] plain = times(20, large(valueBytes));
    open(plain, 20, NONE);
    for (int i = 0; i < 20; i++) {
      assertTrue(records.nextStrict(null), () -> "fails: " + records.failure());
      assertTrue(records.encoding().isRegular());
      assertEquals(plain.length / 20L * (i + 1), window.plainPosition());
    }
    assertTrue(records.finish());
    assertEquals(0, decoder.heapBytes());
  }

  @Test
  void smallRecordsAreCopied() {
    open(times(20, large(480)), 20, NONE);
    assertTrue(records.next());
    assertTrue(decoder.heapBytes() > 0);
  }

  /**
   * A piece that was copied ends within a record: it is read from its start, in front of the rest.
   */
  @Test
  void aLargeRecordAfterSmallOnesIsNotCopied() {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    plain.writeBytes(times(3, large(60)));
    int small = plain.size();
    plain.writeBytes(times(2, large(3000)));
    open(plain.toByteArray(), 5, NONE);
    for (int i = 0; i < 3; i++) {
      assertTrue(records.nextStrict(null));
    }
    assertTrue(window.available() > 0);
    assertEquals(small, window.plainPosition());
    for (int i = 0; i < 2; i++) {
      assertTrue(records.nextStrict(null));
      assertTrue(records.encoding().isRegular());
      assertEquals(3000, records.valueSize());
      assertEquals(0, window.available());
    }
    assertTrue(records.finish());
  }

  /**
   * The long path reads records that are not as Kafka writes them, or that have more than a value.
   */
  @Test
  void recordsWithLongNumbersAreCopied() {
    byte[] some = new byte[2000];
    byte[] four = varint(1 << 20, 1);
    for (RecordBytes record :
        new RecordBytes[] {
          large(2000).timestampDelta(four),
          large(2000).offsetDelta(four),
          large(2000).key(varint(64, 1), new byte[64]),
          large(2000).value(varint(2000, 3), some),
          large(1 << 20),
          large(2000).headerCount(varint(0, 2)),
          large(2000).headerCount(varint(1, 1)).header(new byte[1], some),
          large(0).value(varint(-1, 1), new byte[0]).headerCount(varint(1, 1)).header(some, some),
          large(2000).attributes(1),
        }) {
      byte[] plain = record.toBytes();
      open(plain, 1, NONE);
      assertTrue(records.nextStrict(null), () -> "fails: " + records.failure());
      assertTrue(decoder.heapBytes() > 0);
      open(BufferKind.DIRECT, (byte) 0, plain, NONE);
      compare(plain, 1, NONE, true, true);
    }
  }

  // ---- limits

  @Test
  void aRecordMayTakeItsLimit() {
    byte[] plain = large(3000).toBytes();
    int body = RecordBytes.bodyBytes(plain);
    open(BufferKind.DIRECT, (byte) 0, plain, NONE);
    records.open(window, 1, NONE.with(Limit.RECORD_BYTES, body));
    assertTrue(records.next());
    assertEquals(0, decoder.heapBytes());
    open(BufferKind.DIRECT, (byte) 0, plain, NONE);
    records.open(window, 1, NONE.with(Limit.RECORD_BYTES, body - 1));
    assertFalse(records.next());
    assertEquals(Reason.LIMIT_RECORD_BYTES, records.failure());
  }

  @Test
  void everyRecordMayTakeItsLimit() {
    byte[] plain = times(3, large(3000));
    open(plain, 3, NONE.with(Limit.PLAIN_BYTES, plain.length));
    while (records.next()) {
      assertEquals(0, decoder.heapBytes());
    }
    assertTrue(records.finish());
    open(plain, 3, NONE.with(Limit.PLAIN_BYTES, plain.length - 1));
    assertTrue(records.next());
    assertTrue(records.next());
    assertFalse(records.next());
    assertEquals(Reason.LIMIT_PLAIN_BYTES, records.failure());
  }
}
