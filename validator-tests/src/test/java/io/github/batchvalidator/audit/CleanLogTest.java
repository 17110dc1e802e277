// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.report.FileSummary;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions as Kafka's own log classes write them have no faults. */
class CleanLogTest {
  @TempDir private Path data;

  @Test
  void nothingIsFoundAndTheCountsAreThoseOfKafka() throws Exception {
    Audited audited = Audited.of(SampleLog.write(data));
    assertEquals(List.of(), audited.messages());
    assertEquals(List.of(), audited.errors());
    assertEquals(SampleLog.SEGMENTS, audited.files().size());
    for (FileSummary file : audited.files()) {
      assertEquals(KafkaCounts.of(Path.of(file.name())), KafkaCounts.of(file));
    }
  }

  /** What Kafka's reader and an audit count in a segment. */
  private record KafkaCounts(
      long bytes, long batches, long records, long control, long first, long last) {
    static KafkaCounts of(FileSummary file) {
      return new KafkaCounts(
          file.bytes(),
          file.tally().batches(),
          file.tally().records(),
          file.tally().controlBatches(),
          file.firstOffset(),
          file.lastOffset());
    }

    static KafkaCounts of(Path segment) throws Exception {
      long batches = 0;
      long records = 0;
      long control = 0;
      long first = -1;
      long last = -1;
      try (FileRecords file = FileRecords.open(segment.toFile(), false)) {
        for (FileChannelRecordBatch batch : file.batches()) {
          batches++;
          control += batch.isControlBatch() ? 1 : 0;
          first = first < 0 ? batch.baseOffset() : first;
          last = batch.lastOffset();
          for (Record record : batch) {
            record.ensureValid();
            records++;
          }
        }
        return new KafkaCounts(file.sizeInBytes(), batches, records, control, first, last);
      }
    }
  }
}
