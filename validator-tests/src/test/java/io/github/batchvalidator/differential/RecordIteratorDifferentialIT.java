// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link RecordIterator} reads what Kafka's full readers read, and refuses what they refuse. */
final class RecordIteratorDifferentialIT {
  private static final BufferSupplier BUFFERS = BufferSupplier.create();
  private static final List<BufferKind> KINDS = List.of(BufferKind.values());
  private static final int ALL_BITS = 0xFF;
  private static Decoders fastest = WindowDecoders.fastest();
  private static Decoders lowMemory = WindowDecoders.lowMemory();

  private final RecordIterator ours = new RecordIterator();
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

  /** A record of a batch, and what is wrong with it. */
  record Damaged(Damage first, Damage second, int filler) {}

  @Provide
  Arbitrary<List<Damaged>> damagedRecords() {
    Arbitrary<Damage> damages =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(Damage.NONE)), Tuple.of(1, Arbitraries.of(Damage.class)));
    return Combinators.combine(damages, damages, Arbitraries.integers().between(0, 3000))
        .as(Damaged::new)
        .list()
        .ofMaxSize(6);
  }

  @Property
  void honestRecordsAreThoseOfKafka(
      @ForAll("codecs") Codec codec,
      @ForAll("kinds") BufferKind kind,
      @ForAll("records") List<SimpleRecord> records) {
    compare(codec, kind, Batches.ofAny(codec, records).array());
    assertEquals(records.size(), ours.index() + 1);
    assertNull(ours.failure());
  }

  @Property
  void damagedRecordsAreThoseOfKafka(
      @ForAll("codecs") Codec codec,
      @ForAll("kinds") BufferKind kind,
      @ForAll("damagedRecords") List<Damaged> damaged) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < damaged.size(); i++) {
      Damaged how = damaged.get(i);
      RecordBytes record = new RecordBytes().offsetDelta(varint(i, 1));
      record.value(varint(how.filler(), 1), new byte[how.filler()]);
      plain.writeBytes(how.second().apply(how.first().apply(record, i), i).toBytes());
    }
    compare(codec, kind, Batches.ofPlain(codec, damaged.size(), plain.toByteArray()).array());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyByte(Codec codec) {
    byte[] golden = MutationSweepIT.golden(codec);
    for (int at = BatchLayout.HEADER_BYTES; at < golden.length; at++) {
      for (int value : new int[] {0, 1, golden[at] ^ 1, golden[at] ^ 0x80, ALL_BITS}) {
        byte[] changed = golden.clone();
        changed[at] = (byte) value;
        compare(codec, KINDS.get(at % KINDS.size()), changed);
      }
    }
  }

  /** The same inside of the payload, which the codec would else hide. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyPlainByte(Codec codec) {
    byte[] golden = MutationSweepIT.golden(Codec.NONE);
    byte[] plain = Arrays.copyOfRange(golden, BatchLayout.HEADER_BYTES, golden.length);
    for (int at = 0; at < plain.length; at++) {
      for (int value : new int[] {0, 1, plain[at] ^ 1, plain[at] ^ 0x80, ALL_BITS}) {
        byte[] changed = plain.clone();
        changed[at] = (byte) value;
        compare(codec, BufferKind.HEAP, Batches.ofPlain(codec, 5, changed).array());
      }
      compare(codec, BufferKind.HEAP, Batches.ofPlain(codec, 5, Arrays.copyOf(plain, at)).array());
    }
  }

  @Test
  void recordBytesLimitHoldsInCompressedBatchesOnly() {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, 100);
    for (Codec codec : Codec.values()) {
      SimpleRecord[] records = {
        new SimpleRecord(1, new byte[10], new byte[10]), new SimpleRecord(1, null, new byte[101])
      };
      walk(codec, fastest, Batches.of(codec, records), limits);
      assertEquals(codec == Codec.NONE ? null : Reason.LIMIT_RECORD_BYTES, ours.failure());
      assertEquals(1, ours.index());
    }
  }

  @Test
  void scratchGrowsByBytesThatExistAndNoFurtherThanTheLimit() {
    byte[] declaresTooMuch = new RecordBytes().length(varint(Integer.MAX_VALUE, 1)).toBytes();
    walk(
        Codec.GZIP,
        fastest,
        Batches.ofPlain(Codec.GZIP, 1, declaresTooMuch),
        Limits.UNBOUNDED_AS_KAFKA);
    assertEquals(Reason.RECORD_TRUNCATED, ours.failure());
    assertTrue(ours.heapBytes() <= 1 << 16, () -> ours.heapBytes() + " bytes");

    ByteBuffer large = Batches.of(Codec.GZIP, new SimpleRecord(1, null, new byte[1 << 20]));
    walk(Codec.GZIP, fastest, large, Limits.UNBOUNDED_AS_KAFKA.with(Limit.REBUILT_BYTES, 1 << 19));
    assertEquals(Reason.LIMIT_RECORD_BYTES, ours.failure());
    assertTrue(ours.heapBytes() <= 1 << 19, () -> ours.heapBytes() + " bytes");
  }

  private void walk(Codec codec, Decoders decoders, ByteBuffer buffer, Limits limits) {
    header.read(buffer, buffer.position());
    int from = buffer.position() + BatchLayout.HEADER_BYTES;
    Payload payload = new Payload().wrap(buffer, from, buffer.limit() - from);
    PayloadDecoder decoder = Objects.requireNonNull(decoders.get(codec));
    decoder.open(payload, limits, window);
    open(codec, payload.length(), limits);
    while (ours.next()) {
      assertTrue(ours.index() < header.recordCount());
    }
    ours.finish();
    decoder.release();
  }

  private void open(Codec codec, int bytes, Limits limits) {
    if (codec == Codec.NONE) {
      ours.openStored(window, header.recordCount(), bytes, limits);
    } else {
      ours.open(window, header.recordCount(), limits);
    }
  }

  private void compare(Codec codec, BufferKind kind, byte[] batch) {
    try {
      for (Decoders decoders : List.of(fastest, lowMemory)) {
        ByteBuffer buffer = kind.holding(batch, (byte) ALL_BITS);
        header.read(buffer, buffer.position());
        int from = buffer.position() + BatchLayout.HEADER_BYTES;
        Payload payload = new Payload().wrap(buffer, from, buffer.limit() - from);
        PayloadDecoder decoder = Objects.requireNonNull(decoders.get(codec));
        decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
        open(codec, payload.length(), Limits.UNBOUNDED_AS_KAFKA);
        compareWithKafka(batch);
        decoder.release();
        ours.release();
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n  batch " + Batches.base64(batch), e);
    }
  }

  private void compareWithKafka(byte[] bytes) {
    DefaultRecordBatch batch =
        (DefaultRecordBatch)
            MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches().iterator().next();
    byte[] plain = plain(batch);
    Throwable thrown = null;
    try (CloseableIterator<Record> theirs = batch.streamingIterator(BUFFERS)) {
      while (theirs.hasNext()) {
        Record record = theirs.next();
        boolean last = !theirs.hasNext();
        assertTrue(ours.next(), () -> "ends early: " + ours.failure());
        compareRecord(batch, (DefaultRecord) record, plain);
        assertTrue(!last || ours.finish(), () -> "does not end: " + ours.failure());
      }
    } catch (AssertionError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      thrown = e; // of Kafka, or a codec's own, which Kafka does not wrap
    }
    if (thrown != null) {
      // Kafka's iterator looks past the last record before it returns that record.
      while (ours.next()) {
        assertTrue(ours.index() < batch.countOrNull());
      }
      ours.finish();
    }
    compareFault(thrown);
  }

  /** Returns what of the payload can be decompressed. */
  private static byte[] plain(DefaultRecordBatch batch) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream in = batch.recordInputStream(BUFFERS)) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        all.write(next);
      }
    } catch (IOException | RuntimeException | Error e) {
      return all.toByteArray();
    }
    return all.toByteArray();
  }

  private void compareFault(@Nullable Throwable theirs) {
    Reason why = ours.failure();
    String both = "ours " + why + ", Kafka's " + theirs;
    assertEquals(theirs == null, why == null, both);
    if (why != null && theirs instanceof InvalidRecordException) {
      assertEquals(Answer.INVALID_RECORD, why.answer(), both);
    } else if (why != null && theirs instanceof KafkaException) {
      assertEquals(Answer.DECODE_FAILURE, why.answer(), both);
    }
  }

  private void compareRecord(DefaultRecordBatch batch, DefaultRecord theirs, byte[] plain) {
    assertEquals(theirs.offset(), batch.baseOffset() + ours.offsetDelta(), "offset");
    assertEquals(theirs.timestamp(), batch.baseTimestamp() + ours.timestampDelta(), "timestamp");
    assertEquals(theirs.attributes(), ours.attributes(), "attributes");
    assertEquals(theirs.sizeInBytes(), sizeInBytes(), "size");
    assertArrayEquals(bytes(theirs.key()), part(ours.keyPosition(), ours.keySize()), "key");
    assertArrayEquals(bytes(theirs.value()), part(ours.valuePosition(), ours.valueSize()), "value");
    Header[] headers = theirs.headers();
    assertEquals(headers.length, ours.headerCount(), "headers");
    byte[] asStored = stored(plain);
    assertEquals(Arrays.equals(rewrite(theirs), asStored), ours.isCanonical(), "canonical");
    if (ours.isCanonical()) {
      assertArrayEquals(
          asStored, Arrays.copyOfRange(ours.array(), ours.position(), ours.end()), "bytes");
    }
  }

  /** Cuts the current record out of the payload: its length field ends at a positive byte. */
  private byte[] stored(byte[] plain) {
    int from = (int) ours.start();
    int bodyAt = from;
    while (plain[bodyAt++] < 0) {
      assertTrue(bodyAt < plain.length);
    }
    return Arrays.copyOfRange(plain, from, bodyAt + ours.bodySize());
  }

  private int sizeInBytes() {
    return varint(ours.bodySize(), 1).length + ours.bodySize();
  }

  private byte[] rewrite(DefaultRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      DefaultRecord.writeTo(
          out,
          ours.offsetDelta(),
          ours.timestampDelta(),
          record.key(),
          record.value(),
          record.headers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private byte @Nullable [] part(int from, int size) {
    return size < 0 ? null : Arrays.copyOfRange(ours.array(), from, from + size);
  }

  private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
