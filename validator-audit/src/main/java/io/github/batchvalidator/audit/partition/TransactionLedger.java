// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.LostMarker;
import io.github.batchvalidator.audit.report.LostMarker.Outcome;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A ledger of the transactions of a partition that a salvage leaves without their markers.
 *
 * <p>A marker may be in any hole that follows kept records of its transaction. Other evidence says
 * whether it is: entries of {@code .txnindex}, producer snapshots, headers of damaged batches, and
 * later batches of the same producer. Without evidence, the outcome is unknown.
 *
 * <p>Memory depends on the number of open transactions. Confined to one thread at a time.
 */
public final class TransactionLedger {
  /** The size of every marker that Kafka writes: a header and one record. */
  private static final int MARKER_BYTES = 78;

  private final NavigableMap<Long, StoredFile> snapshots;
  private final Map<Long, Open> open = new HashMap<>();
  private final List<LostMarker> lost = new ArrayList<>();
  private String file = "";
  private @Nullable AbortedTransactions index;

  /**
   * A part of a segment that is not kept.
   *
   * @param first the first offset that it may have
   * @param last the last offset that it may have
   * @param verified batches of the part whose checksum is right
   * @param unverified headers of batches whose checksum is wrong
   * @param isUnknown true if other bytes of the part may be batches
   */
  public record Hole(
      long first,
      long last,
      List<StoredBatch> verified,
      List<StoredBatch> unverified,
      boolean isUnknown) {}

  /** The places where the marker of an open transaction may be. */
  private record Doubt(String file, long first, long last, boolean hasIndex) {}

  /** A transaction without a marker so far. Only its kept records count. */
  private static final class Open {
    private final long producer;
    private final int epoch;
    private final long first;
    private long last;
    private long records;
    private @Nullable Doubt doubt;

    /** The first offset after the hole, or -1. */
    private long firstAfter = StoredBatch.NONE;

    // Before the hole.
    private long lastBefore;
    private long recordsBefore;

    private Open(StoredBatch batch) {
      producer = batch.producerId();
      epoch = batch.producerEpoch();
      first = batch.baseOffset();
    }

    private void add(StoredBatch batch) {
      last = batch.lastOffset();
      records += batch.recordCount();
      if (doubt != null && firstAfter < 0) {
        firstAfter = batch.baseOffset();
      }
    }

    private void doubt(Doubt next) {
      Doubt known = doubt;
      if (known != null) {
        boolean hasIndex = known.hasIndex() && next.hasIndex();
        doubt = new Doubt(known.file(), known.first(), next.last(), hasIndex);
        return;
      }
      doubt = next;
      lastBefore = last;
      recordsBefore = records;
    }
  }

  /**
   * Creates an empty ledger.
   *
   * @param partition the partition, or null for a segment that is salvaged by itself
   */
  public TransactionLedger(@Nullable Partition partition) {
    NavigableMap<Long, StoredFile> found = new TreeMap<>();
    try {
      found = partition == null ? found : new TreeMap<>(partition.producerSnapshots());
    } catch (IOException unreadable) {
      // PartitionAudit reports it.
    }
    snapshots = found;
  }

  /** Starts a segment. */
  public void start(Segment segment) {
    file = segment.name();
    index = AbortedTransactions.of(segment);
  }

  /** Takes the next batch that is kept. */
  public void kept(StoredBatch batch) {
    if (batch.producerId() < 0) {
      return;
    }
    askSnapshots(batch.baseOffset());
    Control control = batch.control();
    if (control == null && batch.transactional()) {
      data(batch);
    } else if (control != null && control.endsTransaction()) {
      marker(batch, control);
    }
  }

  private void data(StoredBatch batch) {
    Open known = open.get(batch.producerId());
    if (known != null && known.doubt != null && batch.producerEpoch() > known.epoch) {
      ended(known);
      known = null;
    }
    if (known == null) {
      known = new Open(batch);
      open.put(batch.producerId(), known);
    }
    known.add(batch);
  }

  private void marker(StoredBatch batch, Control control) {
    Open ended = open.remove(batch.producerId());
    Doubt doubt = ended == null ? null : ended.doubt;
    if (ended == null || doubt == null) {
      return;
    }
    if (batch.producerEpoch() > ended.epoch + 1) { // another transaction has used an epoch between
      ended(ended);
    } else if (ended.firstAfter >= 0) {
      decide(ended, doubt, batch, control.type() == Control.ABORT);
    }
  }

  /** Decides whether a marker ends the transaction from before a hole, or only what follows it. */
  private void decide(Open ended, Doubt doubt, StoredBatch marker, boolean isAbort) {
    AbortedTransactions known = index;
    long start = known == null ? StoredBatch.NONE : known.startOf(ended.producer, marker);
    if (isAbort && start > ended.lastBefore) {
      ended(ended);
    } else if (isAbort ? start < 0 : !doubt.hasIndex()) {
      add(ended, doubt.first(), doubt.last(), Outcome.UNKNOWN);
    }
  }

  /** Takes the next part that is not kept. */
  public void lost(Hole hole) {
    AbortedTransactions known = index;
    for (Open each : List.copyOf(open.values())) {
      long at = known == null ? StoredBatch.NONE : known.endOf(each.producer, each.last);
      if (at >= hole.first() && at <= hole.last()) {
        add(each, at, at, Outcome.ABORTED);
      }
    }
    for (StoredBatch batch : hole.verified()) {
      Control control = batch.control();
      if (control != null && control.endsTransaction()) {
        lostMarker(batch, control.type() == Control.ABORT ? Outcome.ABORTED : Outcome.COMMITTED);
      }
    }
    boolean isUnknown = hole.isUnknown();
    for (StoredBatch batch : hole.unverified()) {
      if (mayBeMarker(batch) && (known == null || !known.endsAt(batch.baseOffset()))) {
        isUnknown |= !lostMarker(batch, known == null ? Outcome.UNKNOWN : Outcome.COMMITTED);
      }
    }
    if (isUnknown) {
      Doubt doubt = new Doubt(file, hole.first(), hole.last(), known != null);
      open.values().forEach(each -> each.doubt(doubt));
    }
  }

  /** Returns true if one of the header fields that tell markers from data says that it is one. */
  private static boolean mayBeMarker(StoredBatch batch) {
    boolean hasSequence = batch.producerId() < 0 || batch.baseSequence() >= 0;
    return batch.bytes() == MARKER_BYTES && (batch.control() != null || !hasSequence);
  }

  /** Returns false if no transaction of the producer is open. */
  private boolean lostMarker(StoredBatch batch, Outcome outcome) {
    Open ended = open.get(batch.producerId());
    if (ended != null) {
      ended.doubt = null; // what is known of this hole is more than what an earlier one may have
      add(ended, batch.baseOffset(), batch.lastOffset(), outcome);
    }
    return ended != null;
  }

  /** Takes the end of a transaction in the hole that it is in doubt about. */
  private void ended(Open ended) {
    Doubt doubt = ended.doubt;
    if (doubt != null) {
      Outcome outcome = doubt.hasIndex() ? Outcome.COMMITTED : Outcome.UNKNOWN;
      add(ended, doubt.first(), doubt.last(), outcome);
    }
  }

  private void add(Open ended, long firstOffset, long lastOffset, Outcome outcome) {
    open.remove(ended.producer, ended);
    Doubt doubt = ended.doubt;
    boolean isBefore = doubt != null && outcome != Outcome.ABORTED;
    lost.add(
        new LostMarker(
            doubt == null || outcome == Outcome.ABORTED ? file : doubt.file(),
            ended.producer,
            firstOffset,
            lastOffset,
            outcome,
            ended.first,
            isBefore ? ended.lastBefore : ended.last,
            isBefore ? ended.recordsBefore : ended.records));
  }

  /** Looks into the snapshots up to an offset for transactions that are in doubt. */
  private void askSnapshots(long offset) {
    while (!snapshots.isEmpty() && snapshots.firstKey() <= offset) {
      Map.Entry<Long, StoredFile> snapshot = snapshots.pollFirstEntry();
      Map<Long, Open> doubtful = new HashMap<>();
      for (Open each : open.values()) {
        Doubt doubt = each.doubt;
        if (doubt != null && doubt.last() < snapshot.getKey()) {
          doubtful.put(each.producer, each);
        }
      }
      if (!doubtful.isEmpty()) {
        ask(snapshot.getValue(), doubtful);
      }
    }
  }

  private void ask(StoredFile snapshot, Map<Long, Open> doubtful) {
    try {
      ProducerSnapshot.read(
          snapshot,
          entry -> {
            Open each = doubtful.get(entry.producerId());
            long start = entry.transactionStart();
            if (each != null && start >= 0 && start <= each.lastBefore) {
              each.doubt = null; // it is still open
              each.firstAfter = StoredBatch.NONE;
              doubtful.remove(entry.producerId());
            }
          });
      doubtful.values().forEach(this::ended);
    } catch (IOException unreadable) {
      // SnapshotCheck reports it.
    }
  }

  /** Ends the partition, and returns the markers that are or may be lost. */
  public List<LostMarker> end() {
    askSnapshots(Long.MAX_VALUE);
    for (Open each : List.copyOf(open.values())) {
      Doubt doubt = each.doubt;
      if (doubt != null) {
        add(each, doubt.first(), doubt.last(), Outcome.UNKNOWN);
      }
    }
    return lost;
  }
}
