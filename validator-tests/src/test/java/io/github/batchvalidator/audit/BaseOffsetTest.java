// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.partition.BaseOffsetCheck;
import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
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

  @TempDir private Path data;

  private final Segment segment = new FileSegment(Path.of("00000000000000000000.log"));
  private final List<String> faults = new ArrayList<>();

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
    BaseOffsetCheck check = new BaseOffsetCheck(of, evidence, output);
    for (int i = 0; i < bases.length; i++) {
      check.add(batch((long) i * BATCH_BYTES, bases[i]), true);
    }
    check.end();
    return faults;
  }

  private static StoredBatch batch(long position, long base) {
    return new StoredBatch(
        position,
        BATCH_BYTES,
        (byte) 2,
        Codec.NONE,
        base,
        base + RECORDS - 1,
        RECORDS,
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
}
