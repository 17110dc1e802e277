// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;

/** What the log says of a producer up to an offset. Source: {@code ProducerStateEntry} of Kafka. */
final class ProducerState {
  static final long NONE = StoredBatch.NONE;

  private final long id;
  private int epoch = StoredBatch.NONE;

  /** The last sequence number of the epoch, or {@link #NONE}. */
  private int lastSequence = StoredBatch.NONE;

  /** The last offset of the last batch of data in the epoch, or {@link #NONE}. */
  private long lastOffset = NONE;

  private int coordinatorEpoch = StoredBatch.NONE;

  /** The first offset of the open transaction, or {@link #NONE}. */
  private long transactionStart = NONE;

  /** True if no earlier batch of the open transaction can be unknown. */
  private boolean startCertain;

  /** True if batches of the producer may be unknown, so that sequence numbers may be missing. */
  private boolean uncertain;

  ProducerState(long id) {
    this.id = id;
  }

  long id() {
    return id;
  }

  int epoch() {
    return epoch;
  }

  int lastSequence() {
    return lastSequence;
  }

  long lastOffset() {
    return lastOffset;
  }

  int coordinatorEpoch() {
    return coordinatorEpoch;
  }

  long transactionStart() {
    return transactionStart;
  }

  boolean isUncertain() {
    return uncertain;
  }

  /** Says that batches of the producer may be unknown. */
  void interrupt() {
    uncertain = true;
    startCertain = false;
  }

  /** Returns true if {@link #transactionStart} is certain. */
  boolean isStartCertain() {
    return startCertain;
  }

  /** Starts an epoch, which has no batches yet. */
  void epoch(int next) {
    if (epoch != next) {
      epoch = next;
      lastSequence = StoredBatch.NONE;
      lastOffset = NONE;
    }
  }

  /** Takes a batch of data of the current epoch. */
  void data(StoredBatch batch) {
    lastSequence = batch.baseSequence() < 0 ? StoredBatch.NONE : batch.lastSequence();
    lastOffset = batch.lastOffset();
    uncertain = false;
  }

  /**
   * Starts a transaction.
   *
   * @param certain true if no earlier batch of the transaction can be unknown
   */
  void begin(long offset, boolean certain) {
    transactionStart = offset;
    startCertain = certain;
  }

  /** Ends the transaction. */
  void end(int coordinator) {
    coordinatorEpoch = coordinator;
    transactionStart = NONE;
  }

  /** Takes over an entry of a snapshot of Kafka. */
  void restore(ProducerSnapshot.Entry entry) {
    epoch = entry.epoch();
    lastSequence = entry.lastSequence();
    lastOffset = entry.lastOffset();
    coordinatorEpoch = entry.coordinatorEpoch();
    transactionStart = entry.transactionStart();
    startCertain = true;
    uncertain = false;
  }
}
