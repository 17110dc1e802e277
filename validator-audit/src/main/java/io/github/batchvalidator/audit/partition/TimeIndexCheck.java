// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;

/**
 * A check of the time index: each entry has the largest timestamp of a batch, and its last offset.
 *
 * <p>Brokers before Kafka 3.7 use the offset of the record in an uncompressed batch.
 *
 * <p>An earlier batch may have a larger timestamp. Kafka forgets timestamps that are not in the
 * index when a broker truncates the segment after a start.
 */
final class TimeIndexCheck extends IndexCheck {
  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  private long number;
  private long timestamp;
  private long offset;

  /** True if batches before the next one are unknown. */
  private boolean isInterrupted;

  TimeIndexCheck(PartitionFaults faults, LogTail tail) {
    super(Companion.TIME_INDEX, ENTRY_BYTES, faults, tail);
  }

  @Override
  void begin() {
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
    while (hasEntry() && offset < batch.lastOffset() && !isOfRecord(batch)) {
      invalid();
    }
    if (hasEntry() && offset <= batch.lastOffset()) {
      if (timestamp != batch.maxTimestamp()) {
        report(
            PartitionReason.TIMEINDEX_TIMESTAMP_MISMATCH,
            number,
            offset,
            number,
            timestamp,
            offset,
            batch.maxTimestamp());
      }
      done();
    }
  }

  private boolean isOfRecord(StoredBatch batch) {
    return offset >= batch.baseOffset()
        && timestamp == batch.maxTimestamp()
        && batch.codec() == Codec.NONE;
  }

  private void invalid() {
    report(PartitionReason.TIMEINDEX_OFFSET_INVALID, number, offset, number, offset);
    done();
  }

  @Override
  public void interrupted(long from, long to) {
    isInterrupted = isInterrupted || from < to;
  }

  @Override
  void rest() {
    while (hasEntry() && !isInterrupted) {
      reportRest(PartitionReason.TIMEINDEX_OFFSET_INVALID, number, offset, number, offset);
      done();
    }
  }
}
