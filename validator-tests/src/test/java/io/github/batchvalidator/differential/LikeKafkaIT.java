// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.KafkaReads;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Metric;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import net.jpountz.xxhash.XXHashFactory;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches with several faults: {@link KafkaReads} refuse them for the one that Kafka meets first,
 * after as many records. The other validators may meet another one first.
 */
@Tag("unvaried")
final class LikeKafkaIT {
  private static final int FEW = 4_000;
  private static final int MANY = 250_000;

  /** The most plain bytes of a batch; one batch in {@link #LARGE_EVERY} may be large. */
  private static final int SMALL = 20_000;

  private static final int LARGE = 400_000;
  private static final int LARGE_EVERY = 60;

  private static final int SNAPPY_HEADER = 16;
  private static final int LZ4_FLAGS_AT = 4;
  private static final int LZ4_SHORTEST_HEADER = 7;

  /** The plain bytes of one of Kafka's reads of a zstd stream. */
  private static final int ZSTD_READ = 16 * 1024;

  /** The size of the zstd library's input buffer. */
  private static final int ZSTD_INPUT = 128 * 1024 + 3;

  private static final Policy POLICY =
      Policy.builder(Origin.COORDINATOR).checkedByHost(true).compactedTopic(true).build();

  private final KafkaOracle kafka = new KafkaOracle();
  private final BufferSupplier buffers = BufferSupplier.create();
  private final BatchValidator likeKafka = KafkaReads.validator();
  private final BatchValidator fastest = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict(LARGE);
  private final MutableVerdict other = new MutableVerdict(LARGE);

  private final Decoders decoders = new KafkaDecoders();
  private final ByteWindow window = new ByteWindow();
  private final RecordIterator records = new RecordIterator();
  private final BatchHeader header = new BatchHeader();

  private int refused;
  private int refusedOtherwise;

  @AfterEach
  void close() {
    likeKafka.close();
    fastest.close();
    decoders.close();
  }

  /** A comparison of our reader with Kafka's on one batch. */
  private interface Judge {
    void judge(byte[] batch);
  }

  private static void run(Codec codec, long seed, int batches, Judge judge) {
    RandomBatches random = new RandomBatches(seed);
    for (int i = 0; i < batches; i++) {
      byte[] batch = random.next(codec, i % LARGE_EVERY > 0 ? SMALL : LARGE);
      try {
        judge.judge(batch);
      } catch (AssertionError | RuntimeException e) {
        if (e instanceof AssertionError && isKnownDifference(codec, batch)) {
          continue;
        }
        String where = codec + " seed " + seed + " number " + i;
        throw new AssertionError(
            where + ": " + e.getMessage() + "\n  batch " + Batches.base64(batch), e);
      }
    }
  }

  /** Returns whether a batch may be accepted or refused differently, as documented. */
  private static boolean isKnownDifference(Codec codec, byte[] batch) {
    byte[] payload = Arrays.copyOfRange(batch, BatchLayout.HEADER_BYTES, batch.length);
    return switch (codec) {
      case GZIP -> GzipStreams.endsInBareHeader(payload);
      case LZ4 -> hasEmptyBlock(ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN));
      case SNAPPY -> hasDamagedHeader(ByteBuffer.wrap(payload));
      default -> false;
    };
  }

  private static boolean hasDamagedHeader(ByteBuffer stream) {
    long magic = 0x82534E4150505900L;
    int at = SNAPPY_HEADER;
    while (at >= 0 && at + SNAPPY_HEADER <= stream.limit()) {
      int size = stream.getInt(at);
      if (size != (int) (magic >>> Integer.SIZE)) {
        at += Integer.BYTES + size;
      } else if (stream.getLong(at) == magic) {
        at += SNAPPY_HEADER;
      } else {
        return true;
      }
    }
    return false;
  }

  /** A block that decodes to nothing is a single token without literals. */
  private static boolean hasEmptyBlock(ByteBuffer frame) {
    int flags = frame.limit() < LZ4_SHORTEST_HEADER ? 0 : frame.get(LZ4_FLAGS_AT);
    int checksum = (flags & 0x10) != 0 ? Integer.BYTES : 0;
    long at = (long) LZ4_SHORTEST_HEADER + ((flags & 0x08) != 0 ? Long.BYTES : 0);
    while (at + Integer.BYTES < frame.limit()) {
      int size = frame.getInt((int) at);
      at += Integer.BYTES;
      if (size == 1 && (frame.get((int) at) & 0xF0) == 0) {
        return true;
      }
      at += size & Integer.MAX_VALUE;
      at += checksum;
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theSameFaultIsMetFirst(Codec codec) {
    run(codec, 1, FEW, this::compareVerdicts);
    assertTrue(refused > FEW / 2, refused + " batches refused");
    // All read lz4 block by block. In zstd two such faults are rare.
    boolean readsAhead = codec == Codec.GZIP || codec == Codec.SNAPPY;
    assertTrue(refusedOtherwise > 0 || !readsAhead, "the fastest meets the same fault first");
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theFullReaderMeetsTheSameFaultFirst(Codec codec) {
    run(codec, 2, FEW, this::compareFullReaders);
    assertTrue(refused > FEW / 2, refused + " batches refused");
  }

  /** Kafka crashes over it, but not within a record: there it is the end of the record. */
  @Test
  void anLz4ChecksumIsMissing() {
    byte[] record = new RecordBytes().toBytes();
    byte[] within =
        Batches.ofPayload(Codec.LZ4, 1, withoutChecksum(Arrays.copyOf(record, 3))).array();
    compareVerdicts(within);
    assertEquals(Reason.RECORD_TRUNCATED, verdict.reason());
    assertEquals(Reason.RECORD_TRUNCATED, other.reason());
    byte[] behind = Batches.ofPayload(Codec.LZ4, 1, withoutChecksum(record)).array();
    assertTrue(kafka.ask(behind, POLICY, Referee.PLACE).crashed());
    compareVerdicts(behind);
    assertEquals(Reason.CODEC_CHECKSUM_MISSING, verdict.reason());
    assertEquals(Reason.CODEC_CHECKSUM_MISSING, other.reason());
  }

  /**
   * One record in two zstd frames. The plain bytes of the first frame end with one of Kafka's
   * reads. Its stored bytes end near the end of the library's input buffer, with the checksum
   * before or after that end.
   */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 4, 5})
  void aZstdFrameEndsWhereAReadDoes(int bytesMissing) {
    byte[] value = Plain.RANDOM.bytes(6 * ZSTD_READ);
    byte[] plain = new RecordBytes().value(RecordBytes.varint(value.length, 1), value).toBytes();
    for (int reads = 1; reads < 6; reads++) {
      byte[] first = Arrays.copyOf(plain, reads * ZSTD_READ);
      byte[] rest = Arrays.copyOfRange(plain, first.length, plain.length);
      byte[] frame = checkedFrame(first);
      int padding = ZSTD_INPUT - frame.length + bytesMissing - ZstdFrames.skippable(0).length;
      byte[] payload = Bytes.concat(ZstdFrames.skippable(padding), frame, checkedFrame(rest));
      byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, payload).array();
      compareFullReaders(batch);
      assertTrue(readByKafka(batch).startsWith("accepted after 1"), "after " + reads);
      compareVerdicts(batch);
    }
  }

  private static byte[] checkedFrame(byte[] plain) {
    byte[] block = ZstdFrames.raw(true, plain);
    byte[] frame = ZstdFrames.frame(ZstdFrames.CHECKSUM, ZstdFrames.window(20), block);
    return Bytes.concat(frame, ZstdFrames.checksum(plain));
  }

  private static byte[] withoutChecksum(byte[] plain) {
    byte[] frame = Batches.compress(Codec.LZ4, plain);
    frame[4] |= 4; // there is one of the content, says the descriptor of two bytes
    frame[6] = (byte) (XXHashFactory.safeInstance().hash32().hash(frame, 4, 2, 0) >> Byte.SIZE);
    return frame;
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theSameFaultIsMetFirstInManyBatches(Codec codec) {
    run(codec, 3, MANY, this::compareVerdicts);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theFullReaderMeetsTheSameFaultFirstInManyBatches(Codec codec) {
    run(codec, 4, MANY, this::compareFullReaders);
  }

  private void compareVerdicts(byte[] batch) {
    KafkaAnswer theirs = kafka.ask(batch, POLICY, Referee.PLACE);
    boolean accepted = likeKafka.inspect(ByteBuffer.wrap(batch), POLICY, Batches.nowMs(), verdict);
    boolean also = fastest.inspect(ByteBuffer.wrap(batch), POLICY, Batches.nowMs(), other);
    assertEquals(also, accepted, () -> verdict + "; the fastest: " + other);
    if (theirs.crashed()) {
      assertTrue(!accepted, () -> "Kafka: " + theirs.thrown());
      return;
    }
    assertEquals(theirs.accepted(), accepted, () -> verdict + "; Kafka: " + theirs.thrown());
    if (!accepted) {
      String expected = theirs.answer() + " after " + keyless(theirs);
      assertEquals(expected, answer(verdict), () -> verdict + "; Kafka: " + theirs.thrown());
      refused++;
      refusedOtherwise += expected.equals(answer(other)) ? 0 : 1;
    }
  }

  /** On a compacted topic records without a key are counted, so how many were judged. */
  private static int keyless(KafkaAnswer theirs) {
    return Collections.frequency(theirs.metrics(), Metric.NO_KEY);
  }

  private static String answer(Verdict ours) {
    int keyless = 0;
    for (int i = 0; i < ours.failureCount(); i++) {
      keyless += ours.failureReason(i) == Reason.RECORD_KEY_MISSING ? 1 : 0;
    }
    return Objects.requireNonNull(ours.reason()).answer() + " after " + keyless;
  }

  private void compareFullReaders(byte[] batch) {
    String theirs = readByKafka(batch);
    String ours = read(batch);
    if (!theirs.startsWith("null")) {
      assertEquals(theirs, ours);
      refused += theirs.startsWith("accepted") ? 0 : 1;
    }
  }

  private String readByKafka(byte[] bytes) {
    RecordBatch batch =
        MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches().iterator().next();
    int read = 0;
    try (CloseableIterator<Record> iterator = batch.streamingIterator(buffers)) {
      while (iterator.hasNext()) {
        iterator.next();
        read++;
      }
      return "accepted after " + read;
    } catch (RuntimeException | Error e) {
      return KafkaOracle.family(e) + " after " + read;
    }
  }

  private String read(byte[] batch) {
    ByteBuffer buffer = ByteBuffer.wrap(batch);
    header.read(buffer, 0);
    Payload payload =
        new Payload()
            .wrap(buffer, BatchLayout.HEADER_BYTES, batch.length - BatchLayout.HEADER_BYTES);
    PayloadDecoder decoder =
        Objects.requireNonNull(decoders.get(Objects.requireNonNull(Codec.byId(header.codecId()))));
    decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    records.open(window, header.recordCount(), Limits.UNBOUNDED_AS_KAFKA);
    int read = 0;
    while (records.next()) {
      read++;
    }
    records.finish();
    @Nullable Reason why = records.failure();
    decoder.release();
    records.release();
    if (why == null) {
      return "accepted after " + read;
    }
    // Kafka's iterator looks past the last record before it returns that record.
    return why.answer() + " after " + Math.min(read, header.recordCount() - 1);
  }
}
