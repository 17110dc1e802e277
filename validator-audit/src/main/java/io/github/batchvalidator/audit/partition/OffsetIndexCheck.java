// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import java.nio.ByteBuffer;

/**
 * A check of the offset index: each entry has the position of a batch, and its last offset.
 *
 * <p>Brokers before Kafka 4.0 may add one entry for several batches that they append at once. Such
 * an entry has the position of the first batch and the last offset of the last batch. If their
 * cleaner has removed the last records of that batch, the entry has the offset of the last record
 * that is left. Source: {@code LogCleaner.cleanInto} of Kafka 3.9.
 */
final class OffsetIndexCheck extends IndexCheck {
  static final int ENTRY_BYTES = 2 * Integer.BYTES;
  private static final long NONE = -1;

  // The next entry.
  private long number;
  private long offset;
  private long position;

  /** The entry for several batches whose last batch was not met yet, or {@link #NONE}. */
  private long openNumber = NONE;

  private long openOffset;
  private long lastOffset;

  OffsetIndexCheck(PartitionFaults faults, LogTail tail) {
    super(Companion.OFFSET_INDEX, ENTRY_BYTES, faults, tail);
  }

  @Override
  void begin() {
    openNumber = NONE;
  }

  @Override
  long key(ByteBuffer entry) {
    return entry.getInt(Integer.BYTES);
  }

  @Override
  void take(ByteBuffer entry, long index) {
    offset = base() + entry.getInt();
    position = entry.getInt();
    number = index;
  }

  @Override
  void compare(StoredBatch batch) {
    reportBefore(batch.position());
    if (hasEntry() && position == batch.position()) {
      closeOpen();
      openNumber = number;
      openOffset = offset;
      done();
    }
    lastOffset = batch.lastOffset();
    if (openNumber != NONE && mayBeLastLeft(batch)) {
      openNumber = NONE;
    }
    if (openNumber != NONE && lastOffset >= openOffset) {
      closeOpen();
    }
  }

  /** Returns true if the open entry may have the offset of the last record left in a batch. */
  private boolean mayBeLastLeft(StoredBatch batch) {
    int records = batch.recordCount();
    return records > 0
        && openOffset >= batch.baseOffset() + records - 1
        && openOffset < batch.lastOffset();
  }

  private void reportBefore(long end) {
    while (hasEntry() && position < end) {
      report(PartitionReason.INDEX_POSITION_INVALID, number, offset, number, position);
      done();
    }
  }

  /** Reports an open entry whose offset is not the last offset of a batch. */
  private void closeOpen() {
    if (openNumber != NONE && lastOffset != openOffset) {
      report(
          PartitionReason.INDEX_OFFSET_MISMATCH,
          openNumber,
          openOffset,
          openNumber,
          openOffset,
          lastOffset);
    }
    openNumber = NONE;
  }

  /** Leaves out the entries of unknown batches. */
  @Override
  public void interrupted(long from, long to) {
    reportBefore(from);
    if (from < to) {
      openNumber = NONE;
    }
    while (hasEntry() && position < to) {
      done();
    }
  }

  @Override
  void rest() {
    closeOpen();
    while (hasEntry()) {
      reportRest(PartitionReason.INDEX_POSITION_INVALID, number, offset, number, position);
      done();
    }
  }
}
