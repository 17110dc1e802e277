// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * A check of the time index: each entry has the largest timestamp so far, and the last offset of
 * the first batch that has it.
 */
final class TimeIndexCheck extends IndexCheck {
  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  private long number;
  private long timestamp;
  private long offset;
  private long maxTimestamp;

  /** True if a batch of the segment is unknown, which may have the largest timestamp. */
  private boolean isPartial;

  /** True if batches before the next one are unknown. */
  private boolean isInterrupted;

  TimeIndexCheck(PartitionFaults faults, BiConsumer<String, String> errors) {
    super(Companion.TIME_INDEX, ENTRY_BYTES, faults, errors);
  }

  @Override
  void begin() {
    maxTimestamp = StoredBatch.NONE;
    isPartial = false;
    isInterrupted = false;
  }

  @Override
  long key(ByteBuffer entry) {
    return entry.getInt(Long.BYTES);
  }

  @Override
  void take(ByteBuffer entry, long index) {
    timestamp = entry.getLong();
    offset = base() + entry.getInt();
    number = index;
  }

  @Override
  void compare(StoredBatch batch) {
    while (isInterrupted && hasEntry() && offset < batch.baseOffset()) {
      done();
    }
    isInterrupted = false;
    maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
    while (hasEntry() && offset < batch.lastOffset()) {
      invalid();
    }
    if (hasEntry() && offset == batch.lastOffset()) {
      if (timestamp < maxTimestamp || timestamp > maxTimestamp && !isPartial) {
        report(
            PartitionReason.TIMEINDEX_TIMESTAMP_MISMATCH,
            number,
            offset,
            number,
            timestamp,
            offset,
            maxTimestamp);
      }
      done();
    }
  }

  private void invalid() {
    report(PartitionReason.TIMEINDEX_OFFSET_INVALID, number, offset, number, offset);
    done();
  }

  @Override
  public void interrupted(long from, long to) {
    if (from < to) {
      isPartial = true;
      isInterrupted = true;
    }
  }

  @Override
  void rest() {
    while (hasEntry() && !isInterrupted) {
      invalid();
    }
  }
}
