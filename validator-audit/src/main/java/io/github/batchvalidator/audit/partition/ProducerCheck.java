// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.partition.TxnIndexCheck.Aborted;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A check of the sequence numbers, epochs and transactions of producers. Source: {@code
 * ProducerAppendInfo} of Kafka.
 *
 * <p>Memory is bounded: with more than {@value #MAX_PRODUCERS} producers, the one that wrote least
 * recently is forgotten, as a broker forgets producers that stay idle. Its next batch counts as its
 * first.
 */
final class ProducerCheck implements PartitionCheck {
  static final int MAX_PRODUCERS = 100_000;

  private static final float LOAD_FACTOR = 0.75f;

  private final PartitionFaults faults;
  private final TxnIndexCheck txnIndex;
  private final boolean checksSequences;
  private final Map<Long, ProducerState> producers =
      new LinkedHashMap<>(16, LOAD_FACTOR, true); // in the order of access

  /** The producer of each open transaction by its first offset. */
  private final TreeMap<Long, Long> open = new TreeMap<>();

  private String file = "";
  private long seen;
  private long forgotten;
  private long committed;
  private long aborted;
  private long emptyMarkers;

  /** True if every batch before the current one is known, by the log or by a snapshot. */
  private boolean complete = true;

  /** The number of interruptions, each of which ends a run of known batches. */
  private int run;

  /**
   * Creates a check.
   *
   * @param faults receives what it finds
   * @param txnIndex informed of each transaction
   * @param checksSequences false if a coordinator writes the batches: each starts with sequence 0
   */
  ProducerCheck(PartitionFaults faults, TxnIndexCheck txnIndex, boolean checksSequences) {
    this.faults = faults;
    this.txnIndex = txnIndex;
    this.checksSequences = checksSequences;
  }

  @Override
  public void start(Segment segment) {
    file = segment.name();
  }

  /**
   * Starts to take over a snapshot of all producers. Producers that it lacks have no transaction.
   */
  void restoreAll() {
    producers.values().forEach(ProducerState::end);
    open.clear();
    complete = true;
  }

  /** Takes over a producer of a snapshot. */
  void restore(ProducerSnapshot.Entry entry) {
    ProducerState state = state(entry.producerId());
    state.restore(entry, run);
    if (entry.transactionStart() >= 0) {
      open.put(entry.transactionStart(), entry.producerId());
    }
  }

  /** Returns true if every batch so far is known. */
  boolean isComplete() {
    return complete;
  }

  /** Returns true if a state includes all batches of its producer. */
  boolean isCertain(ProducerState state) {
    return state.epoch() == StoredBatch.NONE ? complete : state.isCertain(run);
  }

  /** Returns true if the start of the transaction in a state is that in the log. */
  boolean isStartCertain(ProducerState state) {
    return (complete && state.transactionStart() < 0) || state.isStartCertain(run);
  }

  /** Returns true if the epoch of the coordinator in a state is that of the last marker. */
  boolean isCoordinatorCertain(ProducerState state) {
    return (complete && state.coordinatorEpoch() < 0) || state.isMarkerCertain(run);
  }

  /** Returns what is known of a producer, or an empty state that is not kept. */
  ProducerState peek(long producerId) {
    ProducerState state = producers.get(producerId);
    return state == null ? new ProducerState(producerId) : state;
  }

  @Override
  public void batch(StoredBatch batch) {
    if (batch.producerId() < 0) {
      return;
    }
    StoredBatch.Control control = batch.control();
    if (control == null) {
      data(batch, state(batch.producerId()));
    } else if (control.endsTransaction()) {
      end(batch, control, state(batch.producerId()));
    } else if (control.type() != StoredBatch.Control.NO_RECORD) {
      add(PartitionReason.TRANSACTION_MARKER_UNREADABLE, batch);
      ProducerState state = state(batch.producerId());
      state.unreadableMarker(batch);
      close(state);
      txnIndex.skip(batch);
    }
  }

  @Override
  public void repeated(StoredBatch batch) {
    ProducerState known = producers.get(batch.producerId());
    if (known != null) {
      known.interrupt();
    }
  }

  private ProducerState state(long producerId) {
    ProducerState known = producers.get(producerId);
    if (known != null) {
      return known;
    }
    if (producers.size() >= MAX_PRODUCERS) {
      forgetOne();
    }
    seen++;
    ProducerState state = new ProducerState(producerId);
    producers.put(producerId, state);
    return state;
  }

  private void forgetOne() {
    ProducerState eldest = producers.values().iterator().next();
    producers.remove(eldest.id());
    open.remove(eldest.transactionStart());
    forgotten++;
    complete = false;
  }

  private void data(StoredBatch batch, ProducerState state) {
    if (isFenced(batch, state)) {
      state.interrupt();
      return;
    }
    if (checksSequences && batch.hasSequence()) {
      checkSequence(batch, state);
    }
    boolean isKnown = complete || state.isCertain(run);
    state.epoch(batch.producerEpoch());
    state.data(batch, run);
    if (batch.transactional()) {
      if (state.transactionStart() < 0) {
        state.begin(batch.baseOffset(), isKnown, run);
        open.put(batch.baseOffset(), state.id());
        txnIndex.began(state.id(), batch.baseOffset());
      }
    } else if (state.transactionStart() >= 0) {
      if (isKnown) {
        add(PartitionReason.TRANSACTION_INTERRUPTED, batch, state.id(), state.transactionStart());
      } else { // the marker may be unknown
        close(state);
      }
    }
  }

  private boolean isFenced(StoredBatch batch, ProducerState state) {
    if (batch.producerEpoch() >= state.epoch()) {
      return false;
    }
    add(
        PartitionReason.PRODUCER_EPOCH_DECREASED,
        batch,
        state.id(),
        batch.producerEpoch(),
        state.epoch());
    return true;
  }

  private void checkSequence(StoredBatch batch, ProducerState state) {
    boolean isFirst = batch.producerEpoch() != state.epoch() || state.lastSequence() < 0;
    int first = batch.baseSequence();
    int last = isFirst ? StoredBatch.NONE : state.lastSequence();
    int expected = (last + 1) & Integer.MAX_VALUE;
    if (state.epoch() == StoredBatch.NONE || first == expected) {
      return;
    }
    int distance = (first - expected) & Integer.MAX_VALUE; // numbers wrap around
    if (!isFirst && distance > Integer.MAX_VALUE / 2) {
      add(
          PartitionReason.PRODUCER_SEQUENCE_REPEATED,
          batch,
          state.id(),
          batch.producerEpoch(),
          first,
          last);
    } else if (state.isCertain(run)) {
      faults.addUnlessCompacted(file, missing(batch, isFirst, first, last));
    }
  }

  private static Fault missing(StoredBatch batch, boolean isFirst, int first, int last) {
    long id = batch.producerId();
    short epoch = batch.producerEpoch();
    return isFirst
        ? Fault.of(PartitionReason.PRODUCER_SEQUENCE_NOT_ZERO, batch, id, epoch, first)
        : Fault.of(PartitionReason.PRODUCER_SEQUENCE_MISSING, batch, id, epoch, first, last);
  }

  private void end(StoredBatch batch, StoredBatch.Control control, ProducerState state) {
    if (isFenced(batch, state)) {
      state.interrupt();
    } else {
      state.epoch(batch.producerEpoch());
    }
    if (control.coordinatorEpoch() < state.coordinatorEpoch()) {
      add(
          PartitionReason.TRANSACTION_COORDINATOR_EPOCH_DECREASED,
          batch,
          state.id(),
          control.coordinatorEpoch(),
          state.coordinatorEpoch());
    }
    state.marker(batch, control.coordinatorEpoch(), run);
    boolean hasData = state.transactionStart() >= 0;
    boolean isAbort = control.type() == StoredBatch.Control.ABORT;
    if (!hasData) {
      emptyMarkers++;
    } else if (isAbort) {
      aborted++;
    } else {
      committed++;
    }
    Aborted transaction = close(state, batch);
    if (isAbort && (hasData || !complete)) {
      txnIndex.aborted(batch, transaction);
    } else if (isAbort) {
      txnIndex.abortedWithoutData(batch);
    }
  }

  private void close(ProducerState state) {
    if (state.transactionStart() >= 0) {
      open.remove(state.transactionStart());
    }
    state.end();
  }

  /** Ends the transaction of a producer, and returns what the log says of it. */
  private Aborted close(ProducerState state, StoredBatch marker) {
    long start = state.transactionStart();
    boolean isCertain = start >= 0 && (complete || state.isCertain(run));
    close(state);
    long stable = open.isEmpty() ? marker.lastOffset() + 1 : open.firstKey();
    return new Aborted(
        state.id(),
        isCertain && state.isStartCertain(run) ? start : StoredBatch.NONE,
        complete ? stable : StoredBatch.NONE,
        isCertain);
  }

  private void add(PartitionReason reason, StoredBatch batch, Object... operands) {
    faults.add(file, Fault.of(reason, batch, operands));
  }

  @Override
  public void interrupted(long from, long to) {
    complete = false;
    run++;
  }

  // ---- for the summary

  /** Returns the number of producers, counting a forgotten one twice. */
  long seen() {
    return seen;
  }

  /** Returns how many times a producer was forgotten. */
  long forgotten() {
    return forgotten;
  }

  long committed() {
    return committed;
  }

  long aborted() {
    return aborted;
  }

  /** Returns the number of markers without data, which Kafka may write. */
  long emptyMarkers() {
    return emptyMarkers;
  }

  int openTransactions() {
    return open.size();
  }

  /** Returns the first offset of the earliest open transaction, or -1. */
  long firstOpenOffset() {
    return open.isEmpty() ? StoredBatch.NONE : open.firstKey();
  }
}
