// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecords.RecordFilter;
import org.apache.kafka.common.record.internal.MemoryRecords.RecordFilter.BatchRetention;
import org.apache.kafka.common.record.internal.MemoryRecords.RecordFilter.BatchRetentionResult;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A segment after Kafka's log cleaner: gaps between offsets, a batch without records, and
 * tombstones with their delete horizon.
 */
class CompactedSegmentTest {
  private static final int RECORDS = 10;
  private static final int BATCHES = 4;
  private static final long EMPTIED = RECORDS;
  private static final long TOMBSTONES_STAY_MS = 1000;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Codec.class)
  void aCompactedSegmentHasNoFaults(Codec codec) {
    byte[] left = compact(segment(codec));
    Path path = SegmentBytes.write(directory, "00000000000000000000.log", left);
    for (String level : new String[] {"--level=kafka", "--level=strict"}) {
      Run run = Run.json(level, path);
      assertEquals(0, run.exitCode(), run.out());
      assertEquals(BATCHES, run.objects("file").get(0).get("batches").asInt());
      assertEquals(5 * (BATCHES - 1), run.objects("file").get(0).get("records").asInt());
    }
  }

  private static SegmentBytes segment(Codec codec) {
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = i == 0 ? null : new byte[100 + i];
      records[i] = new SimpleRecord(Batches.nowMs() + i, new byte[] {(byte) i}, value);
    }
    SegmentBytes segment = new SegmentBytes();
    for (int i = 0; i < BATCHES; i++) {
      segment.add(Batches.of(codec, records));
    }
    return segment;
  }

  private static byte[] compact(SegmentBytes segment) {
    byte[] bytes = segment.toByteArray();
    ByteBuffer cleaned = ByteBuffer.allocate(2 * bytes.length);
    MemoryRecords.readableRecords(ByteBuffer.wrap(bytes))
        .filterTo(new Cleaner(), cleaned, BufferSupplier.NO_CACHING);
    byte[] left = Batches.copy(cleaned.flip()).array();
    int attributes = left[BatchLayout.ATTRIBUTES_OFFSET + 1];
    assertTrue((attributes & BatchLayout.DELETE_HORIZON_MASK) != 0, "no tombstone was found");
    return left;
  }

  /** Keeps one record of two, and of one batch none. */
  private static final class Cleaner extends RecordFilter {
    Cleaner() {
      super(Batches.nowMs(), TOMBSTONES_STAY_MS);
    }

    @Override
    protected BatchRetentionResult checkBatchRetention(RecordBatch batch) {
      return new BatchRetentionResult(BatchRetention.RETAIN_EMPTY, false);
    }

    @Override
    protected boolean shouldRetainRecord(RecordBatch batch, Record record) {
      return batch.baseOffset() != EMPTIED && record.offset() % 2 == 0;
    }
  }
}
