// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.codec.snappy.SnappyDecoder;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RandomRecords;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.RecordShapes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records of compressed batches, as {@link SkipKeyValueIterator} reads them after decompression.
 */
class SparseRecordIteratorTest {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;

  private final SnappyDecoder decoder = new SnappyDecoder(Integer.MAX_VALUE);
  private final ByteWindow window = new ByteWindow();
  private final SkipKeyValueIterator expected = new SkipKeyValueIterator();
  private final SparseRecordIterator records = new SparseRecordIterator();

  @BeforeEach
  @BeforeProperty
  void openGate() {
    WalkGates.open();
  }

  @AfterEach
  @AfterProperty
  void close() {
    WalkGates.putBack();
    decoder.close();
  }

  /**
   * Reads records in both ways as far as the sparse one goes.
   *
   * @return whether it went to the end
   */
  private boolean compare(byte[] plain, int count, Limits limits, BufferKind kind) {
    byte[] stored = Batches.compress(Codec.SNAPPY, plain);
    ByteBuffer buffer = kind.holding(stored, (byte) 0x77);
    Payload payload = new Payload().wrap(buffer, buffer.position(), stored.length);
    decoder.open(payload, limits, window);
    expected.open(window, count, limits);
    SparseWindow sparse = Objects.requireNonNull(decoder.sparse());
    if (!sparse.open(payload, count, limits)) {
      return false;
    }
    records.open(sparse, count, limits);
    while (records.next()) {
      assertTrue(expected.next(), () -> "ends: " + expected.failure());
      assertSameRecord();
    }
    if (!records.isComplete()) {
      return false;
    }
    assertFalse(expected.next());
    assertEquals(expected.declaredBytes(), records.declaredBytes());
    assertTrue(expected.finish(), () -> "accepted: " + expected.failure());
    return true;
  }

  private void assertSameRecord() {
    assertEquals(expected.index(), records.index());
    assertEquals(expected.start(), records.start());
    assertEquals(expected.bodySize(), records.bodySize());
    assertEquals(expected.attributes(), records.attributes());
    assertEquals(expected.timestampDelta(), records.timestampDelta());
    assertEquals(expected.offsetDelta(), records.offsetDelta());
    assertEquals(expected.keySize(), records.keySize());
    assertEquals(expected.valueSize(), records.valueSize());
    assertEquals(expected.headerCount(), records.headerCount());
  }

  @Property(tries = 500)
  void recordsOfEveryShape(@ForAll RecordShapes shape, @ForAll BufferKind kind, @ForAll long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(random.nextBoolean() ? 20 : 300);
    compare(shape.plain(random, count), count, NONE, kind);
  }

  /** Copies of copies are followed so far that nearly no usual batch is left to the decoder. */
  @ParameterizedTest
  @EnumSource(names = {"JSON_1_KIB", "LOG_LINES", "KEY_AND_HEADERS"})
  void usualBatchesAreReadToTheEnd(RecordShapes shape) {
    int read = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(random.nextBoolean() ? 20 : 300);
      read += compare(shape.plain(random, count), count, NONE, BufferKind.HEAP) ? 1 : 0;
    }
    assertTrue(read >= 198, read + " of 200");
  }

  /** Damaged records and tight limits. */
  @Property(tries = 3000)
  void anyRecords(@ForAll BufferKind kind, @ForAll long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(12);
    byte[] plain = RandomRecords.plain(random, count);
    int declared = random.nextInt(6) == 0 ? random.nextInt(16) : count;
    Limits limits = random.nextBoolean() ? NONE : RandomRecords.limits(random);
    compare(plain, declared, limits, kind);
  }

  /** The iterator ends where the other one would report a fault or read beyond a length. */
  @Test
  void unusualRecords() {
    assertTrue(reads(new RecordBytes()));
    assertTrue(reads(new RecordBytes().key(RecordBytes.varint(-7, 1), new byte[0])));
    assertTrue(reads(new RecordBytes().offsetDelta(RecordBytes.varint(0, 5))));
    assertTrue(reads(new RecordBytes().timestampDelta(RecordBytes.varint(Long.MIN_VALUE, 1))));
    assertTrue(reads(new RecordBytes().key(RecordBytes.varint(70, 1), new byte[70])));
    assertFalse(reads(new RecordBytes().lengthError(1)));
    assertFalse(reads(new RecordBytes().lengthError(-1)));
    assertFalse(reads(new RecordBytes().headerCount(RecordBytes.varint(-1, 1))));
    assertFalse(reads(new RecordBytes().headerCount(RecordBytes.varint(1, 1))));
    byte[] record = new RecordBytes().toBytes();
    int body = RecordBytes.bodyBytes(record);
    assertFalse(reads(new RecordBytes().length(RecordBytes.varint(body, 2))));
    assertFalse(compare(record, 2, NONE, BufferKind.HEAP));
  }

  /** Nothing of the last header value is read, but its blocks have to be sound. */
  @Test
  void aDamagedBlockWithinTheLastHeaderValue() {
    byte[] value = digits(300_000);
    byte[] plain =
        new RecordBytes()
            .headerCount(RecordBytes.varint(1, 1))
            .header(new byte[] {'h'}, value)
            .toBytes();
    byte[] stored = Batches.compress(Codec.SNAPPY, plain);
    assertTrue(isComplete(stored));
    stored[firstTagOfTheLastBlock(stored)] = (byte) 0xFE; // a copy, of which there is nothing yet
    assertFalse(isComplete(stored));
  }

  private static byte[] digits(int bytes) {
    StringBuilder text = new StringBuilder();
    for (Random random = new Random(1); text.length() < bytes; ) {
      text.append("number ").append(random.nextInt());
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }

  private static int firstTagOfTheLastBlock(byte[] stored) {
    int chunk = SnappyStreams.stream().length;
    int next = chunk;
    while (next < stored.length) {
      chunk = next;
      next += Integer.BYTES + ByteBuffer.wrap(stored).getInt(next);
    }
    int at = chunk + Integer.BYTES;
    while (stored[at] < 0) {
      at++;
    }
    return at + 1;
  }

  private boolean isComplete(byte[] stored) {
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
    decoder.open(payload, NONE, window);
    SparseWindow sparse = Objects.requireNonNull(decoder.sparse());
    assertTrue(sparse.open(payload, 1, NONE));
    records.open(sparse, 1, NONE);
    assertTrue(records.next() || !records.isComplete());
    return records.isComplete();
  }

  private boolean reads(RecordBytes record) {
    return compare(record.toBytes(), 1, NONE, BufferKind.HEAP);
  }
}
