// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of the documents do what the pages say of them. */
class TwoPhaseAppendTest {
  private static final Path ROOT = Path.of("..");
  private static final Path SAMPLES = Path.of("src/test/java/io/github/batchvalidator/docs");

  private final TwoPhaseAppend appends = new TwoPhaseAppend();
  private final PartitionLog log = new PartitionLog(100, 7);
  private final long nowMs = Batches.nowMs();

  @AfterEach
  void close() {
    appends.close();
  }

  private ByteBuffer batch(Codec codec) {
    return Batches.of(
        codec,
        new SimpleRecord(nowMs, "a".getBytes(UTF_8), "1".getBytes(UTF_8)),
        new SimpleRecord(nowMs + 1, "b".getBytes(UTF_8), "2".getBytes(UTF_8)));
  }

  private static Policy topic(Target target) {
    return Policy.builder(Origin.CLIENT).target(target).build();
  }

  private MutableRecordBatch stored(Codec codec, int records) {
    MutableRecordBatch batch =
        MemoryRecords.readableRecords(log.last().duplicate()).batches().iterator().next();
    batch.ensureValid();
    assertEquals(codec.id(), batch.compressionType().id);
    assertEquals(7, batch.partitionLeaderEpoch());
    long expected = log.endOffset() - records;
    for (Record record : batch) {
      assertEquals(expected++, record.offset());
    }
    assertEquals(log.endOffset(), expected);
    return batch;
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheCodecOfTheProducer(Codec codec) {
    assertEquals(102, appends.append(batch(codec), topic(Target.PRODUCER), log, () -> nowMs));
    stored(codec, 2);
  }

  @ParameterizedTest
  @EnumSource
  void storesTheCodecOfTheTopic(Codec codec) {
    for (Codec target : Codec.values()) {
      long before = log.endOffset();
      ByteBuffer received = batch(codec);
      ByteBuffer copy = Batches.copy(received);
      assertEquals(
          before + 2, appends.append(received, topic(Target.of(target)), log, () -> nowMs));
      stored(target, 2);
      if (target != codec) {
        assertEquals(copy, received, "the received batch is not written to");
      }
    }
  }

  @Test
  void storesTheTimeOfTheAppend() {
    Target target = Target.of(Codec.ZSTD).withTimestampType(TimestampType.LOG_APPEND_TIME);
    appends.append(batch(Codec.LZ4), topic(target), log, () -> nowMs + 5);
    assertEquals(nowMs + 5, stored(Codec.ZSTD, 2).maxTimestamp());
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 1})
  void storesOlderMagic(byte magic) {
    Policy topic = topic(Target.of(Codec.NONE).withMagic(magic));
    assertEquals(102, appends.append(batch(Codec.LZ4), topic, log, () -> nowMs));
    long offset = 100;
    for (MutableRecordBatch each : MemoryRecords.readableRecords(log.last()).batches()) {
      each.ensureValid();
      assertEquals(magic, each.magic());
      assertEquals(offset++, each.lastOffset());
    }
    assertEquals(102, offset);
  }

  @Test
  void compressedMessagesOfMagic0AreRebuiltWithTheirOffsets() {
    Policy topic = topic(Target.of(Codec.GZIP).withMagic((byte) 0));
    assertThrows(
        IllegalStateException.class,
        () -> appends.append(batch(Codec.LZ4), topic, log, () -> nowMs));
    assertFalse(log.last().hasRemaining());
  }

  @Test
  void storesTheTimeThatIsReadInTheLock() {
    Target target = Target.of(Codec.LZ4).withTimestampType(TimestampType.LOG_APPEND_TIME);
    LongSupplier clock = () -> Thread.holdsLock(log) ? nowMs + 5 : nowMs;
    appends.append(batch(Codec.LZ4), topic(target), log, clock);
    assertEquals(nowMs + 5, stored(Codec.LZ4, 2).maxTimestamp());
  }

  @ParameterizedTest
  @EnumSource
  void anIncompleteSecondBatchIsNotStored(Codec codec) {
    ByteBuffer batch = batch(codec);
    ByteBuffer received =
        ByteBuffer.allocate(batch.remaining() + BatchLayout.HEADER_BYTES)
            .put(batch.duplicate())
            .put(batch.duplicate().limit(BatchLayout.HEADER_BYTES))
            .flip();
    assertEquals(102, appends.append(received, topic(Target.PRODUCER), log, () -> nowMs));
    stored(codec, 2);
    assertEquals(batch.remaining(), log.last().remaining());
  }

  @Test
  void rejectsADamagedBatch() {
    ByteBuffer damaged = batch(Codec.LZ4);
    damaged.put(BatchLayout.HEADER_BYTES, (byte) ~damaged.get(BatchLayout.HEADER_BYTES));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> appends.append(damaged, topic(Target.PRODUCER), log, () -> nowMs));
    assertTrue(e.toString().contains(": BATCH_CRC_MISMATCH: "), e::toString);
    assertEquals(100, log.endOffset());
  }

  @Test
  void oneBatchIsAcceptedAndADamagedOneIsNot() {
    ByteBuffer batch = batch(Codec.ZSTD);
    assertEquals("accepted", OneBatch.check(batch));
    batch.put(BatchLayout.HEADER_BYTES, (byte) ~batch.get(BatchLayout.HEADER_BYTES));
    String answer = OneBatch.check(batch);
    assertTrue(answer.startsWith("BATCH_CRC_MISMATCH: the stored CRC is "), answer);
  }

  /** With the imports, so that a reader can compile what a page shows. */
  @ParameterizedTest
  @CsvSource({"README.md, OneBatch", "docs/embedding.md, TwoPhaseAppend"})
  void theDocumentsQuoteTheSamples(String document, String sample) throws Exception {
    String file = Files.readString(SAMPLES.resolve(sample + ".java"));
    String quoted = file.substring(file.indexOf("import "));
    assertTrue(Files.readString(ROOT.resolve(document)).contains(quoted), document);
  }
}
