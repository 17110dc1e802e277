// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.SECOND;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.batch;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.delete;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The guard stops the compaction of a damaged partition before the damaged segment is rewritten.
 * Compaction of sound partitions has the same result as with stock Kafka.
 */
class CompactionGuardIT {
  private static final String VERSION = "4.3.1";

  private static final int ATTRIBUTES_AT = 21;
  private static final int LAST_DELTA_AT = 23;

  @TempDir private Path root;

  private CompactedPartition partition(String name) {
    return new CompactedPartition(root.resolve(name).resolve("t-0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void soundPartitionsEndAsWithStock(String version) throws Exception {
    Path expected = fillSound(partition("stock")).write();
    Path actual = fillSound(partition("ours")).write();
    try (CleaningSide stock = CleaningSide.stock(version);
        CleaningSide ours = CleaningSide.guarded(version, "enforce")) {
      assertEquals("compacted", stock.clean(expected, 0));
      assertEquals("compacted", ours.clean(actual, 0));
      assertEquals(CompactedPartition.files(expected), CompactedPartition.files(actual));
      assertEquals("2 segments, unchecked 0, damaged {}, counted {}", ours.counts());
    }
    assertNotEquals(partition("none").original(), CompactedPartition.logs(actual));
  }

  /** Fills both segments: all codecs, tombstones, transactions, and messages of magic 0 and 1. */
  private static CompactedPartition fillSound(CompactedPartition partition) {
    long offset = 0;
    for (byte magic = 0; magic <= 1; magic++) {
      for (Codec codec : new Codec[] {Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4}) {
        partition.first(
            MemoryRecords.withRecords(
                    magic,
                    offset,
                    Batches.compression(codec),
                    TimestampType.CREATE_TIME,
                    put("a", "old " + offset),
                    put("b" + offset, "kept"),
                    delete("c"))
                .buffer());
        offset += 3;
      }
    }
    offset = SECOND;
    for (Codec codec : Codec.values()) {
      partition.second(
          batch(offset, codec, put("a", "new " + offset), put("d" + offset, "x"), delete("b0")));
      offset += 3;
    }
    for (ControlRecordType end :
        new ControlRecordType[] {ControlRecordType.COMMIT, ControlRecordType.ABORT}) {
      partition.second(
          MemoryRecords.withTransactionalRecords(
                  offset, Compression.NONE, 7 + end.type(), (short) 0, 0, 0, put("e" + end, "y"))
              .buffer());
      partition.second(
          MemoryRecords.withEndTransactionMarker(
                  offset + 1,
                  Batches.nowMs(),
                  0,
                  7 + end.type(),
                  (short) 0,
                  new EndTransactionMarker(end, 0))
              .buffer());
      offset += 2;
    }
    return partition;
  }

  /** Fills a partition whose first segment has a flipped bit in a record that is kept. */
  private static CompactedPartition fillFlipped(CompactedPartition partition) {
    partition.first(batch(0, Codec.NONE, put("a", "1")));
    ByteBuffer damaged = batch(1, Codec.NONE, put("a", "2"), put("b", "value"));
    int at = indexOf(damaged, "value");
    damaged.put(at, (byte) (damaged.get(at) ^ 1));
    partition.first(damaged);
    partition.second(batch(SECOND, Codec.NONE, put("a", "3")));
    return partition;
  }

  private static int indexOf(ByteBuffer batch, String text) {
    return StandardCharsets.ISO_8859_1.decode(batch.duplicate()).toString().indexOf(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void aFlippedBitThatStockHidesStopsThePartition(String version) throws Exception {
    Path hidden = fillFlipped(partition("stock")).write();
    assertEquals(1, CompactedPartition.wrongChecksums(hidden));
    CompactedPartition guarded = fillFlipped(partition("ours"));
    Path kept = guarded.write();
    try (CleaningSide stock = CleaningSide.stock(version);
        CleaningSide ours = CleaningSide.guarded(version, "enforce")) {
      assertEquals("compacted", stock.clean(hidden, 0));
      assertEquals(0, CompactedPartition.wrongChecksums(hidden), "stock computes a new CRC");
      assertTrue(CompactedPartition.logs(hidden).toString().contains("walue"));

      assertDamaged("BATCH_CRC_MISMATCH", ours.clean(kept, 0));
      assertEquals(guarded.original(), CompactedPartition.logs(kept));
      assertEquals(
          "0 segments, unchecked 0, damaged {BATCH_CRC_MISMATCH=1}, counted {}", ours.counts());
    }
  }

  @Test
  void aDamagedSegmentThatIsNotDirtyStopsThePartitionToo() throws Exception {
    CompactedPartition guarded = fillFlipped(partition("ours"));
    Path kept = guarded.write();
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertDamaged("BATCH_CRC_MISMATCH", ours.clean(kept, SECOND));
      assertEquals(guarded.original(), CompactedPartition.logs(kept));
    }
  }

  @Test
  void observingReportsAndEndsAsStock() throws Exception {
    Path expected = fillFlipped(partition("stock")).write();
    Path actual = fillFlipped(partition("ours")).write();
    try (CleaningSide stock = CleaningSide.stock(VERSION);
        CleaningSide ours = CleaningSide.guarded(VERSION, "observe")) {
      assertEquals("compacted", stock.clean(expected, 0));
      assertEquals("compacted", ours.clean(actual, 0));
      assertEquals(CompactedPartition.files(expected), CompactedPartition.files(actual));
      assertEquals(
          "2 segments, unchecked 0, damaged {BATCH_CRC_MISMATCH=1}, counted {}", ours.counts());
    }
  }

  @Test
  void aLineNamesFilePositionOffsetAndReason() throws Exception {
    Path kept = fillFlipped(partition("ours")).write();
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      String thrown = ours.clean(kept, 0);
      int size = batch(0, Codec.NONE, put("a", "1")).remaining();
      assertTrue(
          thrown.contains(
              kept.resolve("00000000000000000000.log")
                  + ", byte "
                  + size
                  + ", offset 1: BATCH_CRC"),
          thrown);
    }
  }

  /** Returns records in plain bytes, of which the last one declares another size. */
  private static byte[] untrue(int difference) {
    byte[] plain = Batches.plainRecords(put("a", "1"), put("b", "22222222"));
    int first = Batches.plainRecords(put("a", "1")).length;
    plain[first] += (byte) (2 * difference); // a varint in zigzag form
    return plain;
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void aFalseLengthStopsThePartition(Codec codec) throws Exception {
    CompactedPartition guarded = partition("ours");
    guarded.first(Batches.ofPlain(codec, 2, untrue(-1)));
    guarded.second(batch(SECOND, codec, put("a", "3")));
    Path kept = guarded.write();
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertDamaged("RECORD_LENGTH", ours.clean(kept, 0));
      assertEquals(guarded.original(), CompactedPartition.logs(kept));
    }
  }

  /** Each length of a torn batch at the end of a segment. */
  @Test
  void aTornBatchStopsThePartition() throws Exception {
    ByteBuffer whole = batch(1, Codec.NONE, put("b", "value"));
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      for (int size = 1; size < whole.remaining(); size += 7) {
        CompactedPartition guarded = partition("torn" + size);
        guarded.first(batch(0, Codec.NONE, put("a", "1")));
        guarded.first(whole.duplicate().limit(size));
        guarded.second(batch(SECOND, Codec.NONE, put("a", "3")));
        assertDamaged("FRAMING_INCOMPLETE", ours.clean(guarded.write(), 0));
      }
    }
  }

  @Test
  void findingsThatEveryReaderReadsTheSameWayAreOnlyCounted() throws Exception {
    ByteBuffer batch = batch(0, Codec.NONE, withHeader());
    int at = indexOf(batch, "hh");
    batch.put(at, (byte) 0xFF);
    CompactedPartition guarded = partition("ours");
    guarded.first(Batches.fixCrc(batch));
    guarded.second(batch(SECOND, Codec.NONE, put("a", "3")));
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertEquals("compacted", ours.clean(guarded.write(), 0));
      assertEquals(
          "2 segments, unchecked 0, damaged {}, counted {RECORD_HEADER_KEY_NOT_UTF8=1}",
          ours.counts());
    }
  }

  /** Batches with findings of other kinds; whatever stock Kafka does with them, it still does. */
  @Test
  void countedBatchesEndAsWithStock() throws Exception {
    Map<String, ByteBuffer> batches = new LinkedHashMap<>();
    ByteBuffer reserved = batch(0, Codec.NONE, put("a", "1"), put("b", "2"));
    reserved.putShort(ATTRIBUTES_AT, (short) 0x200);
    batches.put("BATCH_ATTRIBUTES_RESERVED", Batches.fixCrc(reserved));
    List<SimpleRecord> early =
        List.of(
            new SimpleRecord(-5, new byte[] {'a'}, new byte[1]),
            new SimpleRecord(-5, new byte[] {'b'}, new byte[1]));
    batches.put("RECORD_TIMESTAMP_NEGATIVE", Batches.ofAny(Codec.NONE, early));
    ByteBuffer empty = Batches.ofPayload(Codec.ZSTD, 0, new byte[0]).putInt(LAST_DELTA_AT, 0);
    batches.put("PAYLOAD_STREAM_MISSING", Batches.fixCrc(empty));
    byte[] gzip = Batches.compress(Codec.GZIP, Batches.plainRecords(put("a", "1"), put("b", "2")));
    ByteBuffer left = Batches.ofPayload(Codec.GZIP, 2, Arrays.copyOf(gzip, gzip.length + 3));
    batches.put("CODEC_BYTES_LEFT", left);
    byte[] snappy = manyHeaders(2);
    batches.put("CODEC_STREAM_AMBIGUOUS", Batches.ofPayload(Codec.SNAPPY, 2, snappy));
    for (Map.Entry<String, ByteBuffer> each : batches.entrySet()) {
      assertEndsAsWithStock(each.getKey(), each.getValue());
    }
  }

  private void assertEndsAsWithStock(String reason, ByteBuffer batch) throws Exception {
    Path expected = fill(partition("stock" + reason), batch).write();
    Path actual = fill(partition("ours" + reason), batch).write();
    try (CleaningSide stock = CleaningSide.stock(VERSION);
        CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertEquals(stock.clean(expected, 0), ours.clean(actual, 0), reason);
      assertEquals(CompactedPartition.files(expected), CompactedPartition.files(actual), reason);
      String counts = ours.counts();
      assertTrue(counts.endsWith("damaged {}, counted {" + reason + "=1}"), counts);
    }
  }

  private static CompactedPartition fill(CompactedPartition partition, ByteBuffer batch) {
    partition.first(batch);
    partition.second(batch(SECOND, Codec.NONE, put("a", "3")));
    return partition;
  }

  private static byte[] manyHeaders(int count) {
    byte[] plain = Batches.plainRecords(put("a", "1"), put("b", "2"));
    return StoredStreams.withHeaders(Batches.compress(Codec.SNAPPY, plain), count);
  }

  @Test
  void aStreamThatKafkaReadsWithTooMuchStackStopsThePartition() throws Exception {
    byte[] stream = manyHeaders(50_000 + new SplittableRandom(1).nextInt(1000));
    ByteBuffer batch = Batches.ofPayload(Codec.SNAPPY, 2, stream);
    Path ended = fill(partition("stock"), batch).write();
    CompactedPartition guarded = fill(partition("ours"), batch);
    Path kept = guarded.write();
    try (CleaningSide stock = CleaningSide.stock(VERSION);
        CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertTrue(stock.clean(ended, 0).startsWith("java.lang.StackOverflowError"));
      assertDamaged("CODEC_STREAM_AMBIGUOUS", ours.clean(kept, 0));
      assertEquals(guarded.original(), CompactedPartition.logs(kept));
    }
  }

  private static SimpleRecord withHeader() {
    return new SimpleRecord(
        Batches.nowMs(),
        new byte[] {1},
        new byte[] {2},
        new RecordHeader[] {new RecordHeader("hh", new byte[1])});
  }

  @Test
  void theGuardStopsWhenKafkaAbortsTheCleaning() throws Exception {
    CompactedPartition guarded = fillSound(partition("ours"));
    Path path = guarded.write();
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      // Kafka asks twice for the dirty segment; the third question is that of the guard, which
      // reads
      // the other one.
      String thrown = ours.clean(path, SECOND, 3);
      assertEquals("java.lang.IllegalStateException: cleaning was aborted", thrown);
      assertEquals("0 segments, unchecked 0, damaged {}, counted {}", ours.counts());
    }
  }

  @Test
  void aSegmentThatCannotBeReadIsLeftToKafka() throws Exception {
    try (CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      assertEquals("0 segments, unchecked 1, damaged {}, counted {}", ours.checkWithoutFiles());
    }
  }

  @Test
  void theThreadOfTheCleanerLivesAndCompactsTheOtherPartitions() throws Exception {
    try (CleaningSide stock = CleaningSide.stock(VERSION);
        CleaningSide ours = CleaningSide.guarded(VERSION, "enforce")) {
      String withStock = stock.cleanByThread(twoPartitions("stock"), 2);
      assertTrue(withStock.endsWith("dead threads 1"), withStock);
      String withOurs = ours.cleanByThread(twoPartitions("ours"), 2);
      assertTrue(withOurs.startsWith("uncleanable [t-0], "), withOurs);
      assertTrue(withOurs.endsWith("dead threads 0"), withOurs);
      assertTrue(withOurs.contains("t-1"), withOurs);
    }
  }

  /** Writes a partition that ends the thread of stock Kafka, and a sound one with less to do. */
  private Path twoPartitions(String name) throws Exception {
    Path folder = root.resolve(name);
    CompactedPartition hostile = new CompactedPartition(folder.resolve("t-0"));
    hostile.first(Batches.ofPlain(Codec.GZIP, 1, hugeRecord(new SplittableRandom(1))));
    hostile.second(batch(SECOND, Codec.NONE, put("a", "3")));
    hostile.write();
    CompactedPartition sound = new CompactedPartition(folder.resolve("t-1"));
    sound.first(batch(0, Codec.NONE, put("a", "1")));
    sound.second(batch(SECOND, Codec.NONE, put("a", "2")));
    sound.write();
    return folder;
  }

  /** Returns the start of a record that declares more bytes than an array can have. */
  private static byte[] hugeRecord(SplittableRandom random) {
    int declared = Integer.MAX_VALUE - random.nextInt(2);
    ByteBuffer plain = ByteBuffer.allocate(32);
    ByteUtils.writeVarint(declared, plain);
    return plain.array();
  }

  private static void assertDamaged(String reason, String thrown) {
    String type = "io.github.batchvalidator.agent.compaction.DamagedSegmentException: ";
    assertTrue(thrown.startsWith(type), thrown);
    assertTrue(thrown.contains(reason), thrown);
    assertFalse(thrown.contains("\n"), thrown);
  }
}
