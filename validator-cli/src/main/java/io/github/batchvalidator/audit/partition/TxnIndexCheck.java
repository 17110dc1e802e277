// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * A check of the transaction index: it has the aborted transactions whose abort marker is in the
 * segment. {@link ProducerCheck} passes these transactions on.
 *
 * <p>Kafka creates the file when it is needed. A segment that has an offset index and an aborted
 * transaction needs it.
 */
final class TxnIndexCheck extends IndexCheck {
  private static final int ENTRY_BYTES = Short.BYTES + 4 * Long.BYTES;

  /**
   * An aborted transaction.
   *
   * @param producerId the producer id
   * @param firstOffset its first offset, or -1 if that is unknown
   * @param lastStableOffset the last stable offset after the abort, or -1 if that is unknown
   */
  record Aborted(long producerId, long firstOffset, long lastStableOffset) {}

  private final PartitionFaults faults;
  private String segmentName = "";
  private boolean isExpected;

  // The next entry.
  private long number;
  private short version;
  private long producerId;
  private long firstOffset;
  private long lastOffset;
  private long lastStableOffset;

  TxnIndexCheck(PartitionFaults faults, BiConsumer<String, String> errors) {
    super(Companion.TXN_INDEX, ENTRY_BYTES, faults, errors);
    this.faults = faults;
  }

  @Override
  void begin(Segment segment) {}

  @Override
  public void start(Segment segment) {
    segmentName = segment.name();
    isExpected = segment.companion(Companion.OFFSET_INDEX) != null;
    super.start(segment);
  }

  @Override
  boolean take(ByteBuffer entry, long index) {
    number = index;
    version = entry.getShort();
    producerId = entry.getLong();
    firstOffset = entry.getLong();
    lastOffset = entry.getLong();
    lastStableOffset = entry.getLong();
    return true;
  }

  @Override
  public void batch(StoredBatch batch) {
    // ProducerCheck calls aborted()
  }

  /** Takes the abort marker of a transaction that has data. */
  void aborted(StoredBatch marker, Aborted transaction) {
    skipBefore(marker.baseOffset());
    if (!hasEntry() || lastOffset != marker.baseOffset()) {
      missing(marker, transaction);
      return;
    }
    compare(transaction);
    done();
  }

  private void skipBefore(long offset) {
    while (hasEntry() && lastOffset < offset) {
      unknown();
      done();
    }
  }

  private void unknown() {
    if (version != 0) {
      report(PartitionReason.TXNINDEX_VERSION_UNKNOWN, number, lastOffset, number, version);
    } else {
      reportUnlessCompacted(
          PartitionReason.TXNINDEX_ENTRY_UNKNOWN,
          number,
          lastOffset,
          number,
          producerId,
          lastOffset);
    }
  }

  private void missing(StoredBatch marker, Aborted transaction) {
    if (isExpected) {
      Fault fault =
          Fault.of(
              PartitionReason.TXNINDEX_ENTRY_MISSING,
              marker,
              transaction.producerId(),
              transaction.firstOffset(),
              marker.baseOffset());
      faults.addUnlessCompacted(segmentName, fault);
    }
  }

  private void compare(Aborted transaction) {
    if (version != 0) {
      report(PartitionReason.TXNINDEX_VERSION_UNKNOWN, number, lastOffset, number, version);
      return;
    }
    compare("producer id", producerId, transaction.producerId());
    if (transaction.firstOffset() >= 0) {
      compare("first offset", firstOffset, transaction.firstOffset());
    }
    if (transaction.lastStableOffset() >= 0) {
      compare("last stable offset", lastStableOffset, transaction.lastStableOffset());
    }
  }

  private void compare(String what, long indexed, long logged) {
    if (indexed != logged) {
      reportUnlessCompacted(
          PartitionReason.TXNINDEX_ENTRY_MISMATCH,
          number,
          lastOffset,
          number,
          what,
          indexed,
          logged);
    }
  }

  @Override
  void rest() {
    while (hasEntry()) {
      unknown();
      done();
    }
  }

  @Override
  public void interrupted() {
    isExpected = false;
    super.interrupted();
  }
}
