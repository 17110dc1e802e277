// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;

/**
 * The state of a producer at an offset, according to the log. Source: {@code ProducerStateEntry} of
 * Kafka.
 *
 * <p>A run of the log is a part without unknown batches. What a state says is certain only if it
 * was seen in the current run.
 */
final class ProducerState {
  static final long NONE = StoredBatch.NONE;

  private static final int NEVER = -1;

  private final long id;
  private int epoch = StoredBatch.NONE;

  /** The last sequence number of the epoch, or {@link #NONE}. */
  private int lastSequence = StoredBatch.NONE;

  /** The last offset of the last batch of data in the epoch, or {@link #NONE}. */
  private long lastOffset = NONE;

  /** The largest timestamp of the last batch of data or marker, or {@link #NONE}. */
  private long lastTimestamp = NONE;

  private int coordinatorEpoch = StoredBatch.NONE;

  /** The first offset of the open transaction, or {@link #NONE}. */
  private long transactionStart = NONE;

  /** The run in which the last batch of data was seen. */
  private int dataRun = NEVER;

  /** The run in which the last marker was seen. */
  private int markerRun = NEVER;

  /** The run in which the start of the open transaction was seen. */
  private int startRun = NEVER;

  /** True if a marker without data has followed the last batch of data. */
  private boolean emptyMarkerFollows;

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

  long lastTimestamp() {
    return lastTimestamp;
  }

  int coordinatorEpoch() {
    return coordinatorEpoch;
  }

  long transactionStart() {
    return transactionStart;
  }

  /** Returns true if no later batch of data can be unknown. */
  boolean isCertain(int run) {
    return dataRun == run;
  }

  /** Returns true if no earlier batch of the open transaction, or later marker, can be unknown. */
  boolean isStartCertain(int run) {
    return startRun == run;
  }

  /** Returns true if no later marker can be unknown. */
  boolean isMarkerCertain(int run) {
    return markerRun == run;
  }

  /**
   * Returns true if an entry has nothing but the last marker. Kafka forgets a producer that is idle
   * and has no open transaction, and starts a new entry with its next marker.
   */
  boolean isOfMarkerOnly(ProducerSnapshot.Entry entry) {
    return emptyMarkerFollows
        && entry.equals(
            new ProducerSnapshot.Entry(
                id, epoch, StoredBatch.NONE, NONE, 0, lastTimestamp, coordinatorEpoch, NONE));
  }

  /** Says that a batch of data is unknown. */
  void interrupt() {
    dataRun = NEVER;
    markerRun = NEVER;
    startRun = NEVER;
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
  void data(StoredBatch batch, int run) {
    lastSequence = batch.baseSequence() < 0 ? StoredBatch.NONE : batch.lastSequence();
    lastOffset = batch.lastOffset();
    lastTimestamp = batch.maxTimestamp();
    dataRun = run;
    emptyMarkerFollows = false;
  }

  /**
   * Starts a transaction.
   *
   * @param certain true if no earlier batch of the transaction can be unknown
   */
  void begin(long offset, boolean certain, int run) {
    transactionStart = offset;
    startRun = certain ? run : NEVER;
  }

  /** Ends the transaction. */
  void end() {
    transactionStart = NONE;
  }

  /**
   * Takes a marker, and the epoch of the coordinator that wrote it. Call it before {@link #end()}.
   */
  void marker(StoredBatch batch, int epochOfCoordinator, int run) {
    lastTimestamp = batch.maxTimestamp();
    coordinatorEpoch = epochOfCoordinator;
    markerRun = run;
    emptyMarkerFollows = transactionStart < 0;
  }

  /** Takes a marker that does not say which coordinator wrote it. */
  void unreadableMarker(StoredBatch batch) {
    lastTimestamp = batch.maxTimestamp();
    markerRun = NEVER;
  }

  /** Takes over an entry of a snapshot of Kafka. */
  void restore(ProducerSnapshot.Entry entry, int run) {
    epoch = entry.epoch();
    lastSequence = entry.lastSequence();
    lastOffset = entry.lastOffset();
    lastTimestamp = entry.lastTimestamp();
    coordinatorEpoch = entry.coordinatorEpoch();
    transactionStart = entry.transactionStart();
    dataRun = run;
    markerRun = run;
    startRun = run;
    emptyMarkerFollows = false;
  }
}
