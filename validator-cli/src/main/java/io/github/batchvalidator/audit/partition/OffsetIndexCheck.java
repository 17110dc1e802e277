// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * A check of the offset index: each entry has the position of a batch, and its last offset.
 *
 * <p>A broker that appends several batches at once may add one entry for all of them. Such an entry
 * has the position of the first batch and the last offset of the last batch.
 */
final class OffsetIndexCheck extends IndexCheck {
  private static final int ENTRY_BYTES = 2 * Integer.BYTES;
  private static final long NONE = -1;

  private long base;

  // The next entry.
  private long number;
  private long offset;
  private long position;
  private long previousPosition;

  /** The entry for several batches whose last batch was not met yet, or {@link #NONE}. */
  private long openNumber;

  private long openOffset;
  private long lastOffset;

  OffsetIndexCheck(PartitionFaults faults, BiConsumer<String, String> errors) {
    super(Companion.OFFSET_INDEX, ENTRY_BYTES, faults, errors);
  }

  @Override
  void begin(Segment segment) {
    base = segment.baseOffset();
    previousPosition = NONE;
    openNumber = NONE;
  }

  @Override
  boolean take(ByteBuffer entry, long index) {
    long relative = entry.getInt();
    position = entry.getInt();
    number = index;
    offset = base + relative;
    return relative != 0 || position != 0; // zeros are written in advance
  }

  @Override
  public void batch(StoredBatch batch) {
    while (hasEntry() && position <= batch.position()) {
      closeOpen();
      if (position == previousPosition) {
        report(PartitionReason.INDEX_OUT_OF_ORDER, number, offset, number);
      } else if (position < batch.position()) {
        report(PartitionReason.INDEX_POSITION_INVALID, number, offset, number, position);
      } else {
        openNumber = number;
        openOffset = offset;
        previousPosition = position;
      }
      done();
    }
    lastOffset = batch.lastOffset();
    if (openNumber != NONE && lastOffset >= openOffset) {
      closeOpen();
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

  @Override
  void rest() {
    closeOpen();
    while (hasEntry()) {
      report(PartitionReason.INDEX_POSITION_INVALID, number, offset, number, position);
      done();
    }
  }

  @Override
  public void interrupted() {
    openNumber = NONE;
    super.interrupted();
  }
}
