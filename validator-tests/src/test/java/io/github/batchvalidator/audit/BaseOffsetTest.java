// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.partition.BaseOffsetCheck;
import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.CountedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several base offsets is wrong. */
class BaseOffsetTest {
  private static final int BATCH_BYTES = 100;
  private static final int RECORDS = 5;
  private static final int INDEXED = 10_000;

  @TempDir private Path data;

  private final Segment segment = new FileSegment(Path.of("00000000000000000000.log"));
  private final List<String> faults = new ArrayList<>();

  /** The number of records that compaction has left in each batch. */
  private int records = RECORDS;

  /** Returns the faults of batches of five records with these base offsets, without other files. */
  private List<String> faults(long... bases) {
    return faults(segment, new OffsetEvidence(null), bases);
  }

  /** Returns the faults of the base offsets 0, 5 and 20 beside files of these offsets. */
  private List<String> faultsBeside(String... files) throws IOException {
    Path directory = Files.createDirectory(data.resolve("orders-0"));
    Path log = directory.resolve(StoredLog.fileName(0, ".log"));
    Files.write(log, new byte[3 * BATCH_BYTES]);
    for (String file : files) {
      int dot = file.indexOf('.');
      long offset = Long.parseLong(file.substring(0, dot));
      Files.createFile(directory.resolve(StoredLog.fileName(offset, file.substring(dot))));
    }
    PartitionDirectory partition = PartitionDirectory.of(directory);
    try (Segment opened = new FileSegment(log, partition, true)) {
      opened.open();
      return faults(opened, new OffsetEvidence(partition), 0, 5, 20);
    }
  }

  /** Returns the faults of these base offsets beside an offset index. */
  private List<String> faultsBeside(StoredFile index, long... bases) {
    Segment indexed =
        new FileSegment(Path.of(StoredLog.fileName(0, ".log"))) {
          @Override
          public StoredFile companion(Companion kind) {
            return index;
          }
        };
    return faults(indexed, new OffsetEvidence(null), bases);
  }

  /** Returns an offset index of entries, each a last offset and a position. */
  private static CountedFile index(int... fields) {
    ByteBuffer entries = ByteBuffer.allocate(fields.length * Integer.BYTES);
    for (int field : fields) {
      entries.putInt(field);
    }
    return new CountedFile(entries.array());
  }

  private List<String> faults(Segment of, OffsetEvidence evidence, long... bases) {
    BaseOffsetCheck.Output output =
        new BaseOffsetCheck.Output() {
          @Override
          public void fault(Fault fault) {
            faults.add(fault.reason() + " " + fault.offset());
          }

          @Override
          public void batch(StoredBatch batch, boolean isSound) {}
        };
    try (BaseOffsetCheck check = new BaseOffsetCheck(of, evidence, output)) {
      for (int i = 0; i < bases.length; i++) {
        check.add(batch((long) i * BATCH_BYTES, bases[i]), true);
      }
      check.end();
    }
    return faults;
  }

  private StoredBatch batch(long position, long base) {
    return new StoredBatch(
        position,
        BATCH_BYTES,
        (byte) 2,
        Codec.NONE,
        base,
        base + RECORDS - 1,
        records,
        0,
        0,
        0,
        StoredBatch.NONE,
        (short) StoredBatch.NONE,
        StoredBatch.NONE,
        false,
        null);
  }

  @Test
  void aGapIsNoFault() {
    assertEquals(List.of(), faults(0, 5, 15, 20));
  }

  @Test
  void anOffsetBetweenTwoThatFitIsWrong() {
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 99"), faults(0, 5, 99, 15, 20));
  }

  @Test
  void anOffsetBeforeAGapIsWrong() {
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 99"), faults(0, 5, 99, 20));
  }

  @Test
  void twoBatchesThatAreExchangedHaveTheirOwnOffsets() {
    assertEquals(List.of("SEGMENT_OFFSETS_OUT_OF_ORDER 10"), faults(0, 5, 15, 10, 20));
  }

  /** The gap leaves room for another offset of the first one. */
  @Test
  void twoBatchesThatAreExchangedAfterAGapHaveTheirOwnOffsets() {
    assertEquals(List.of("SEGMENT_OFFSETS_OUT_OF_ORDER 20"), faults(0, 5, 25, 20));
  }

  @Test
  void theNextSegmentShowsWhereTheLastBatchEnds() throws IOException {
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 20"), faultsBeside("15.log", "25.snapshot"));
  }

  @Test
  void aSnapshotShowsWhereTheLastSegmentEnds() throws IOException {
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 20"), faultsBeside("15.snapshot"));
  }

  @Test
  void twoSnapshotsDoNotShowWhereTheLastSegmentEnds() throws IOException {
    assertEquals(List.of(), faultsBeside("15.snapshot", "25.snapshot"));
  }

  /** The broker stopped at offset 15, and compaction removed offsets 10 to 19 and 25 to 34. */
  @Test
  void aSnapshotInsideASegmentShowsNothing() throws IOException {
    assertEquals(List.of(), faultsBeside("15.snapshot", "35.log", "35.snapshot"));
  }

  @Test
  void anEntryOfTheIndexShowsAnOffset() {
    assertEquals(List.of(), faults(0, 10, 25, 40));
    CountedFile index = index(14, 100, 19, 200, 44, 300);
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 25"), faultsBeside(index, 0, 10, 25, 40));
  }

  /** The cleaner of Kafka 3.9 writes the last offset that it left: 9 of a batch from 6 to 10. */
  @Test
  void anEntryOfABatchThatHasLostRecordsShowsNothing() {
    records = RECORDS - 1;
    assertEquals(List.of(), faultsBeside(index(9, 100), 0, 6));
  }

  @Test
  void entriesOutOfOrderDoNotHideOthers() {
    CountedFile index = index(14, 100, 1, 900, 1, 800, 19, 200, 1, 50, 44, 300, 49, 400);
    assertEquals(
        List.of("SEGMENT_BASE_OFFSET_WRONG 25", "SEGMENT_BASE_OFFSET_WRONG 60"),
        faultsBeside(index, 0, 10, 25, 40, 60, 80));
  }

  @Test
  void aDamagedEntryBetweenTwoLookupsHidesNoOther() {
    CountedFile index = index(9, 100, 1, 900, 19, 300, 24, 400);
    assertEquals(
        List.of("SEGMENT_BASE_OFFSET_WRONG 30"), faultsBeside(index, 0, 5, 10, 15, 30, 50));
  }

  /** The batch at 200 has no entry, so that the entry of 300 is passed before it is looked up. */
  @Test
  void aSmallEntryOutOfOrderHidesNoOther() {
    CountedFile index = index(9, 100, 26, 300, 1, 50, 99, 400);
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG 40"), faultsBeside(index, 0, 5, 17, 40, 60));
  }

  /** Compaction has removed every second batch. */
  @Test
  void theIndexIsReadOnceAndClosed() {
    long[] bases = new long[INDEXED];
    int[] fields = new int[2 * INDEXED];
    for (int i = 0; i < INDEXED; i++) {
      bases[i] = 2L * RECORDS * i;
      fields[2 * i] = 2 * RECORDS * i + RECORDS - 1;
      fields[2 * i + 1] = BATCH_BYTES * i;
    }
    CountedFile index = index(fields);
    assertEquals(List.of(), faultsBeside(index, bases));
    assertEquals(index.size(), index.bytesRead());
    assertEquals(0, index.openStreams());
  }
}
