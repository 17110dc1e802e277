// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.partition.BaseOffsetCheck;
import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.rule.Codec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several base offsets is wrong, without any other file to compare with. */
class BaseOffsetTest {
  private static final int BATCH_BYTES = 100;
  private static final int RECORDS = 5;

  private final Segment segment = new FileSegment(Path.of("00000000000000000000.log"));
  private final List<String> faults = new ArrayList<>();

  /** Returns the faults of batches of five records with these base offsets. */
  private List<String> faults(long... bases) {
    BaseOffsetCheck.Output output =
        new BaseOffsetCheck.Output() {
          @Override
          public void fault(Fault fault) {
            faults.add(fault.reason() + " " + fault.offset());
          }

          @Override
          public void batch(StoredBatch batch, boolean isSound) {}
        };
    BaseOffsetCheck check = new BaseOffsetCheck(segment, new OffsetEvidence(null), output);
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
}
