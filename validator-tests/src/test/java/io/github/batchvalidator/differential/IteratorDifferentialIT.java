// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.InputStreamDecoder;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordArbitraries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.PartialDefaultRecord;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.common.utils.CloseableIterator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fields of {@link SkipKeyValueIterator} are those of Kafka's own iterators. */
final class IteratorDifferentialIT {
  private static final BufferSupplier BUFFERS = BufferSupplier.create();
  private static Decoders fastest = WindowDecoders.fastest();
  private static Decoders lowMemory = WindowDecoders.lowMemory();

  private final SkipKeyValueIterator ours = new SkipKeyValueIterator();
  private final ByteWindow window = new ByteWindow();
  private final BatchHeader header = new BatchHeader();

  @BeforeContainer
  static void open() {
    fastest = WindowDecoders.fastest();
    lowMemory = WindowDecoders.lowMemory();
  }

  @AfterContainer
  static void close() {
    fastest.close();
    lowMemory.close();
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return RecordArbitraries.codecs();
  }

  @Provide
  Arbitrary<BufferKind> kinds() {
    return RecordArbitraries.bufferKinds();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> records() {
    return RecordArbitraries.recordLists();
  }

  @Property
  void fieldsAreThoseOfKafka(
      @ForAll("codecs") Codec codec,
      @ForAll("kinds") BufferKind kind,
      @ForAll("records") List<SimpleRecord> records)
      throws IOException {
    byte[] batch = Batches.ofAny(codec, records).array();
    try {
      compare(codec, kind, batch);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n  batch " + Batches.base64(batch), e);
    }
  }

  /** The count that properties seldom reach, with records that straddle every kind of window. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void thousandRecords(Codec codec) throws IOException {
    List<SimpleRecord> records =
        IntStream.range(0, RecordArbitraries.MOST_RECORDS)
            .mapToObj(
                i -> new SimpleRecord(Batches.nowMs() + i, new byte[i % 9], new byte[i % 200]))
            .toList();
    byte[] batch = Batches.ofAny(codec, records).array();
    for (BufferKind kind : BufferKind.values()) {
      compare(codec, kind, batch);
    }
  }

  private void compare(Codec codec, BufferKind kind, byte[] batch) throws IOException {
    for (Decoders decoders : List.of(fastest, lowMemory)) {
      PayloadDecoder decoder = Objects.requireNonNull(decoders.get(codec));
      openPayload(codec, decoder, kind.holding(batch, (byte) 0xFF));
      assertSame(batch, true);
      openPayload(codec, decoder, kind.holding(batch, (byte) 0));
      assertSame(batch, false);
      decoder.release();
    }
    try (InputStream plain = batchOf(batch).recordInputStream(BUFFERS)) {
      InputStreamDecoder decoder = new InputStreamDecoder();
      decoder.open(plain, window, Long.MAX_VALUE);
      ours.open(window, header.recordCount(), Limits.UNBOUNDED_AS_KAFKA);
      assertSame(batch, true);
      decoder.release();
    }
  }

  private void openPayload(Codec codec, PayloadDecoder decoder, ByteBuffer buffer) {
    header.read(buffer, buffer.position());
    Payload payload =
        new Payload()
            .wrap(
                buffer,
                buffer.position() + BatchLayout.HEADER_BYTES,
                buffer.remaining() - BatchLayout.HEADER_BYTES);
    decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    if (codec == Codec.NONE) {
      ours.openStored(window, header.recordCount(), payload.length(), Limits.UNBOUNDED_AS_KAFKA);
    } else {
      ours.open(window, header.recordCount(), Limits.UNBOUNDED_AS_KAFKA);
    }
  }

  private static DefaultRecordBatch batchOf(byte[] batch) {
    return (DefaultRecordBatch)
        MemoryRecords.readableRecords(ByteBuffer.wrap(batch)).batches().iterator().next();
  }

  private void assertSame(byte[] batch, boolean full) {
    DefaultRecordBatch kafkas = batchOf(batch);
    try (CloseableIterator<Record> theirs =
        full ? kafkas.streamingIterator(BUFFERS) : kafkas.skipKeyValueIterator(BUFFERS)) {
      while (theirs.hasNext()) {
        assertTrue(ours.next(), () -> "ends early: " + ours.failure());
        assertSame(kafkas, theirs.next());
      }
    }
    assertTrue(ours.finish(), () -> "does not end: " + ours.failure());
    assertNull(ours.failure());
    assertEquals(kafkas.countOrNull(), ours.index() + 1, "records");
  }

  private void assertSame(DefaultRecordBatch batch, Record theirs) {
    assertEquals(theirs.offset(), batch.baseOffset() + ours.offsetDelta(), "offset");
    assertEquals(theirs.timestamp(), batch.baseTimestamp() + ours.timestampDelta(), "timestamp");
    assertEquals(theirs.keySize(), ours.keySize(), "key size");
    assertEquals(theirs.valueSize(), ours.valueSize(), "value size");
    int size = ours.bodySize() + ByteUtils.sizeOfVarint(ours.bodySize());
    assertEquals(theirs.sizeInBytes(), size, "declared size");
    if (!(theirs instanceof PartialDefaultRecord)) {
      assertEquals(theirs.headers().length, ours.headerCount(), "headers");
    }
    assertEquals(attributes(theirs), ours.attributes(), "attributes");
  }

  private static byte attributes(Record record) {
    return ((DefaultRecord) record).attributes();
  }
}
