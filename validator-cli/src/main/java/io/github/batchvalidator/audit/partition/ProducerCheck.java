// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

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
 * recently is forgotten, as a broker forgets producers that stay idle. Its next batch starts anew.
 */
final class ProducerCheck implements PartitionCheck {
  static final int MAX_PRODUCERS = 100_000;

  private static final float LOAD_FACTOR = 0.75f;

  private final PartitionFaults faults;
  private final TxnIndexCheck txnIndex;
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
  private boolean complete;

  private boolean started;

  ProducerCheck(PartitionFaults faults, TxnIndexCheck txnIndex) {
    this.faults = faults;
    this.txnIndex = txnIndex;
  }

  @Override
  public void start(Segment segment) {
    file = segment.name();
    if (!started) {
      started = true;
      complete = segment.baseOffset() == 0;
    }
  }

  /** Takes over a snapshot of all producers, if nothing is known about them. */
  void restore(Iterable<ProducerSnapshot.Entry> snapshot) {
    for (ProducerSnapshot.Entry entry : snapshot) {
      ProducerState state = state(entry.producerId());
      state.restore(entry);
      if (entry.transactionStart() >= 0) {
        open.put(entry.transactionStart(), entry.producerId());
      }
    }
    complete = true;
  }

  /** Returns true if every batch so far is known. */
  boolean isComplete() {
    return complete;
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
    } else if (control.type() == StoredBatch.Control.UNREADABLE) {
      add(PartitionReason.TRANSACTION_MARKER_UNREADABLE, batch);
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
      return;
    }
    if (batch.hasSequence()) {
      checkSequence(batch, state);
    }
    boolean isKnown = complete || (state.epoch() != StoredBatch.NONE && !state.isUncertain());
    state.epoch(batch.producerEpoch());
    state.data(batch);
    if (batch.transactional() && state.transactionStart() < 0) {
      state.begin(batch.baseOffset(), isKnown);
      open.put(batch.baseOffset(), state.id());
    } else if (!batch.transactional() && state.transactionStart() >= 0) {
      add(PartitionReason.TRANSACTION_INTERRUPTED, batch, state.id(), state.transactionStart());
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
    if (state.epoch() == StoredBatch.NONE || state.isUncertain()) {
      return; // the first batch that is known
    }
    int first = batch.baseSequence();
    if (batch.producerEpoch() != state.epoch()) {
      if (first != 0) {
        addUnlessCompacted(PartitionReason.PRODUCER_SEQUENCE_NOT_ZERO, batch, first);
      }
      return;
    }
    int last = state.lastSequence();
    int expected = (last + 1) & Integer.MAX_VALUE;
    if (first == expected) {
      return;
    }
    int distance = (first - expected) & Integer.MAX_VALUE; // numbers wrap around
    boolean repeats = last >= 0 && distance > Integer.MAX_VALUE / 2;
    if (repeats) {
      add(
          PartitionReason.PRODUCER_SEQUENCE_REPEATED,
          batch,
          state.id(),
          batch.producerEpoch(),
          first,
          last);
    } else if (last < 0) {
      addUnlessCompacted(PartitionReason.PRODUCER_SEQUENCE_NOT_ZERO, batch, first);
    } else {
      faults.addUnlessCompacted(
          file,
          Fault.of(
              PartitionReason.PRODUCER_SEQUENCE_MISSING,
              batch,
              state.id(),
              batch.producerEpoch(),
              first,
              last));
    }
  }

  private void end(StoredBatch batch, StoredBatch.Control control, ProducerState state) {
    if (isFenced(batch, state)) {
      return;
    }
    if (control.coordinatorEpoch() < state.coordinatorEpoch()) {
      add(
          PartitionReason.TRANSACTION_COORDINATOR_EPOCH_DECREASED,
          batch,
          state.id(),
          control.coordinatorEpoch(),
          state.coordinatorEpoch());
    }
    long start = state.transactionStart();
    boolean isAbort = control.type() == StoredBatch.Control.ABORT;
    if (start < 0) {
      emptyMarkers++;
    } else if (isAbort) {
      aborted++;
      open.remove(start);
      long stable = open.isEmpty() ? batch.baseOffset() + 1 : open.firstKey();
      txnIndex.aborted(
          batch,
          new TxnIndexCheck.Aborted(
              state.id(),
              state.isStartCertain() ? start : StoredBatch.NONE,
              complete ? stable : StoredBatch.NONE));
    } else {
      committed++;
      open.remove(start);
    }
    state.epoch(batch.producerEpoch());
    state.end(Math.max(control.coordinatorEpoch(), state.coordinatorEpoch()));
  }

  private void add(PartitionReason reason, StoredBatch batch, Object... operands) {
    faults.add(file, Fault.of(reason, batch, operands));
  }

  private void addUnlessCompacted(PartitionReason reason, StoredBatch batch, int sequence) {
    Fault fault = Fault.of(reason, batch, batch.producerId(), batch.producerEpoch(), sequence);
    faults.addUnlessCompacted(file, fault);
  }

  @Override
  public void interrupted() {
    complete = false;
    producers.values().forEach(ProducerState::interrupt);
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
