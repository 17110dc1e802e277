// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of the transaction index: it has the aborted transactions whose abort marker is in the
 * segment. {@link ProducerCheck} passes these transactions on.
 *
 * <p>Kafka creates the file when it is needed. A segment that has an offset index and an aborted
 * transaction needs it.
 */
final class TxnIndexCheck extends IndexCheck {
  static final int ENTRY_BYTES = Short.BYTES + 4 * Long.BYTES;
  private static final int LAST_OFFSET_AT = Short.BYTES + 2 * Long.BYTES;

  /** The maximum number of open questions. Further ones are dropped. */
  private static final int MAX_QUESTIONS = 1000;

  /**
   * A transaction that an abort marker ends.
   *
   * @param producerId the producer id
   * @param firstOffset its first offset, or -1 if that is unknown
   * @param lastStableOffset the last stable offset after the abort, or -1 if that is unknown
   * @param isCertain false if the transaction may have no data
   */
  record Aborted(long producerId, long firstOffset, long lastStableOffset, boolean isCertain) {}

  /**
   * A last stable offset that must be the start of the next transaction of another producer.
   *
   * <p>A follower appends several batches at once. Then the last stable offset of an entry takes
   * transactions into account that start after the marker.
   */
  private record Question(
      long number, long markerOffset, long producerId, long stored, long logged) {}

  private final PartitionFaults faults;
  private final List<Question> questions = new ArrayList<>();
  private String segmentName = "";
  private boolean isExpected;

  /** True if batches before the next one are unknown. */
  private boolean isInterrupted;

  /** The last offset of the batch before. */
  private long seen;

  // The next entry.
  private long number;
  private short version;
  private long producerId;
  private long firstOffset;
  private long lastOffset;
  private long lastStableOffset;

  TxnIndexCheck(PartitionFaults faults, LogTail tail) {
    super(Companion.TXN_INDEX, ENTRY_BYTES, faults, tail);
    this.faults = faults;
  }

  @Override
  void begin() {}

  @Override
  public void start(Segment segment) {
    segmentName = segment.name();
    isExpected = segment.companion(Companion.OFFSET_INDEX) != null;
    isInterrupted = false;
    seen = Long.MIN_VALUE;
    super.start(segment);
    isExpected = isExpected && segment.lookAgain() != Segment.Look.REPLACED;
  }

  @Override
  long key(ByteBuffer entry) {
    return entry.getLong(LAST_OFFSET_AT);
  }

  @Override
  void take(ByteBuffer entry, long index) {
    number = index;
    version = entry.getShort();
    producerId = entry.getLong();
    firstOffset = entry.getLong();
    lastOffset = entry.getLong();
    lastStableOffset = entry.getLong();
  }

  @Override
  void compare(StoredBatch batch) {
    while (isInterrupted && hasEntry() && lastOffset < batch.baseOffset()) {
      if (lastOffset <= seen) {
        unknown();
      }
      done();
    }
    isInterrupted = false;
    seen = batch.lastOffset();
  }

  @Override
  public void repeated(StoredBatch batch) {
    skip(batch);
  }

  /** Leaves out the entry of a marker that is reported already. */
  void skip(StoredBatch marker) {
    while (hasEntry() && lastOffset <= marker.lastOffset()) {
      if (lastOffset < marker.baseOffset()) {
        unknown();
      }
      done();
    }
  }

  /** Takes an abort marker. */
  void aborted(StoredBatch marker, Aborted transaction) {
    passBefore(marker, transaction);
    boolean isMissing = !hasEntry() && isExpected() && transaction.isCertain();
    if (isMissing && isContinued()) { // a broker appends the marker before the entry
      passBefore(marker, transaction);
    }
    if (hasEntry() && (lastOffset == marker.baseOffset() || isEntryOf(transaction))) {
      compare(marker, transaction);
      done();
    } else if (transaction.isCertain()) {
      missing(marker, transaction);
    }
  }

  /** Takes an abort marker without data. Compaction removes the data before the entry. */
  void abortedWithoutData(StoredBatch marker) {
    while (hasEntry() && lastOffset < marker.baseOffset()) {
      unknown();
      done();
    }
    if (hasEntry() && lastOffset == marker.baseOffset()) {
      compare(marker, new Aborted(marker.producerId(), Fault.UNKNOWN, Fault.UNKNOWN, false));
      done();
    }
  }

  private void passBefore(StoredBatch marker, Aborted transaction) {
    while (hasEntry() && lastOffset < marker.baseOffset() && !isEntryOf(transaction)) {
      unknown();
      done();
    }
  }

  private boolean isEntryOf(Aborted transaction) {
    return version == 0
        && producerId == transaction.producerId()
        && firstOffset == transaction.firstOffset();
  }

  /**
   * Reports an entry without an abort marker. Compaction is no excuse, because it drops the entry
   * before the marker (Kafka's {@code CleanedTransactionMetadata}).
   */
  private void unknown() {
    if (version != 0) {
      report(PartitionReason.TXNINDEX_VERSION_UNKNOWN, number, lastOffset, number, version);
    } else {
      report(true, PartitionReason.TXNINDEX_ENTRY_UNKNOWN, producerId, lastOffset);
    }
  }

  /** Returns false if the segment needs no entries, or if its entries are unknown. */
  private boolean isExpected() {
    return isExpected && !isUnread();
  }

  private void missing(StoredBatch marker, Aborted transaction) {
    if (isExpected() && !isReplaced()) {
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

  private void compare(StoredBatch marker, Aborted transaction) {
    if (version != 0) {
      report(PartitionReason.TXNINDEX_VERSION_UNKNOWN, number, lastOffset, number, version);
      return;
    }
    compare("producer id", producerId, transaction.producerId(), true);
    long start = transaction.firstOffset();
    if (start >= 0) { // compaction removes the first batches, so that the log starts later
      compare("first offset", firstOffset, start, firstOffset > start);
    } else if (firstOffset > marker.baseOffset()) {
      compare("first offset", firstOffset, marker.baseOffset(), true);
    }
    compare("last offset", lastOffset, marker.baseOffset(), true);
    long stable = transaction.lastStableOffset();
    boolean isOpen = stable > marker.lastOffset() && lastStableOffset > stable;
    if (isOpen && questions.size() < MAX_QUESTIONS) {
      questions.add(new Question(number, lastOffset, producerId, lastStableOffset, stable));
    } else if (stable >= 0 && !isOpen) {
      compare("last stable offset", lastStableOffset, stable, false);
    }
  }

  /** Takes the first batch of a transaction. */
  void began(long producer, long offset) {
    for (int i = questions.size() - 1; i >= 0; i--) {
      if (questions.get(i).producerId() != producer) {
        Question answered = questions.remove(i);
        if (answered.stored() != offset) {
          report(answered);
        }
      }
    }
  }

  private void report(Question question) {
    reportUnlessCompacted(
        PartitionReason.TXNINDEX_ENTRY_MISMATCH,
        question.number(),
        question.markerOffset(),
        question.number(),
        "last stable offset",
        question.stored(),
        question.logged());
  }

  private void compare(String what, long indexed, long logged, boolean isCertain) {
    if (indexed != logged) {
      report(isCertain, PartitionReason.TXNINDEX_ENTRY_MISMATCH, what, indexed, logged);
    }
  }

  /**
   * Reports the current entry.
   *
   * @param isCertain true if compaction cannot be the cause
   */
  private void report(boolean isCertain, PartitionReason reason, Object... details) {
    Object[] operands = new Object[details.length + 1];
    operands[0] = number;
    System.arraycopy(details, 0, operands, 1, details.length);
    if (isCertain) {
      report(reason, number, lastOffset, operands);
    } else {
      reportUnlessCompacted(reason, number, lastOffset, operands);
    }
  }

  @Override
  void rest() {
    questions.forEach(this::report);
    questions.clear();
    while (hasEntry() && !isInterrupted) {
      unknown();
      done();
    }
    isExpected = false; // until the next index is opened
  }

  @Override
  public void interrupted(long from, long to) {
    questions.clear();
    isInterrupted = true;
  }
}
