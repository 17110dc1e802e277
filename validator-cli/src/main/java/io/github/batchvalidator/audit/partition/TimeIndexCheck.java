// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * A check of the time index: each entry has the largest timestamp so far, and the last offset of
 * the first batch that has it.
 */
final class TimeIndexCheck extends IndexCheck {
  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  private long base;
  private long number;
  private long timestamp;
  private long offset;
  private long previousOffset;
  private long maxTimestamp;

  TimeIndexCheck(PartitionFaults faults, BiConsumer<String, String> errors) {
    super(Companion.TIME_INDEX, ENTRY_BYTES, faults, errors);
  }

  @Override
  void begin(Segment segment) {
    base = segment.baseOffset();
    previousOffset = base - 1;
    maxTimestamp = StoredBatch.NONE;
  }

  @Override
  boolean take(ByteBuffer entry, long index) {
    timestamp = entry.getLong();
    long relative = entry.getInt();
    number = index;
    offset = base + relative;
    return timestamp != 0 || relative != 0; // zeros are written in advance
  }

  @Override
  public void batch(StoredBatch batch) {
    maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
    while (hasEntry() && offset <= batch.lastOffset()) {
      if (offset == previousOffset) {
        report(PartitionReason.INDEX_OUT_OF_ORDER, number, offset, number);
      } else if (offset < batch.lastOffset()) {
        report(PartitionReason.TIMEINDEX_OFFSET_INVALID, number, offset, number, offset);
      } else if (timestamp != maxTimestamp) {
        report(
            PartitionReason.TIMEINDEX_TIMESTAMP_MISMATCH,
            number,
            offset,
            number,
            timestamp,
            offset,
            maxTimestamp);
      }
      previousOffset = offset;
      done();
    }
  }

  @Override
  void rest() {
    while (hasEntry()) {
      report(PartitionReason.TIMEINDEX_OFFSET_INVALID, number, offset, number, offset);
      done();
    }
  }
}
