// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.source.Upload;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of the snapshots of producers against the log. It must see each batch before {@link
 * ProducerCheck}.
 *
 * <p>A producer that the log has and the snapshot lacks is no fault, because brokers forget idle
 * producers. After the next marker of such a producer, the snapshot has it without its earlier
 * data.
 */
final class SnapshotCheck implements PartitionCheck {
  private final NavigableMap<Long, StoredFile> snapshots;
  private final ProducerCheck producers;
  private final PartitionFaults faults;
  private long next = StoredBatch.NONE;

  /** The snapshot of the state after the segment, or null without one. */
  private @Nullable StoredFile after;

  /** True if the last batch of the segment is part of the log, so that its snapshot applies. */
  private boolean isCurrent;

  SnapshotCheck(
      NavigableMap<Long, StoredFile> snapshots, ProducerCheck producers, PartitionFaults faults) {
    this.snapshots = snapshots;
    this.producers = producers;
    this.faults = faults;
  }

  /** Takes over the snapshot of the segment if batches before the segment are unknown. */
  @Override
  public void start(Segment segment) {
    StoredFile snapshot = compareUpTo(segment.baseOffset());
    if (snapshot != null && !producers.isComplete()) {
      restore(snapshot);
    }
    Upload upload = segment.upload();
    after = upload == null ? null : upload.producerSnapshot();
    isCurrent = false;
  }

  @Override
  public void batch(StoredBatch batch) {
    compareUpTo(batch.baseOffset());
    next = batch.lastOffset() + 1;
    isCurrent = true;
  }

  @Override
  public void repeated(StoredBatch batch) {
    isCurrent = false;
  }

  @Override
  public void interrupted(long from, long to) {
    next = StoredBatch.NONE;
    isCurrent = false;
  }

  /** Compares the snapshot that belongs to a tiered segment. */
  @Override
  public void endSegment() {
    StoredFile snapshot = after;
    after = null;
    if (snapshot == null) {
      return;
    }
    boolean compares = isCurrent;
    boolean isValid = read(snapshot, entry -> compareIf(compares, snapshot.name(), entry));
    if (isValid && compares && !producers.isComplete()) {
      restore(snapshot);
    }
  }

  private void compareIf(boolean compares, String file, ProducerSnapshot.Entry entry) {
    if (compares) {
      compare(file, entry);
    }
  }

  private void restore(StoredFile snapshot) {
    producers.restoreAll();
    read(snapshot, producers::restore);
  }

  @Override
  public void end() {
    if (next >= 0) {
      compareUpTo(next);
    }
    while (!snapshots.isEmpty()) { // no batches are known for these
      read(snapshots.pollFirstEntry().getValue(), entry -> {});
    }
  }

  /** Compares snapshots up to an offset, and returns that of the offset if it is valid. */
  private @Nullable StoredFile compareUpTo(long offset) {
    StoredFile found = null;
    while (!snapshots.isEmpty() && snapshots.firstKey() <= offset) {
      Map.Entry<Long, StoredFile> snapshot = snapshots.pollFirstEntry();
      StoredFile file = snapshot.getValue();
      long at = snapshot.getKey();
      boolean isKnown = at == next;
      boolean isValid = read(file, isKnown ? entry -> compare(file.name(), entry) : entry -> {});
      found = isValid && at == offset ? file : null;
    }
    return found;
  }

  /** Passes on the producers of a snapshot. Reports an invalid one, and returns false. */
  private boolean read(StoredFile file, Consumer<ProducerSnapshot.Entry> entries) {
    try {
      ProducerSnapshot.read(file, entries);
      return true;
    } catch (ProducerSnapshot.InvalidException e) {
      String why = String.valueOf(e.getMessage());
      faults.add(
          file.name(),
          Fault.of(PartitionReason.PRODUCER_SNAPSHOT_UNREADABLE, 0, Fault.UNKNOWN, why));
    } catch (IOException e) {
      faults.unread(file.name(), e);
    }
    return false;
  }

  /** Reports the first difference of a producer. */
  private void compare(String file, ProducerSnapshot.Entry entry) {
    ProducerState state = producers.peek(entry.producerId());
    if (!producers.isCertain(state) || state.isOfMarkerOnly(entry)) {
      return;
    }
    boolean isSame =
        isSame(file, entry, "epoch", entry.epoch(), state.epoch())
            && isSame(file, entry, "last sequence", entry.lastSequence(), state.lastSequence())
            && isSame(file, entry, "last offset", entry.lastOffset(), state.lastOffset())
            && isSame(file, entry, "last timestamp", entry.lastTimestamp(), state.lastTimestamp());
    if (isSame && producers.isStartCertain(state)) {
      isSame =
          isSame(
              file,
              entry,
              "start of the transaction",
              entry.transactionStart(),
              state.transactionStart());
    }
    // A producer that was idle for long lacks the epoch of its coordinator.
    if (isSame && entry.coordinatorEpoch() >= 0 && producers.isCoordinatorCertain(state)) {
      isSame(file, entry, "coordinator epoch", entry.coordinatorEpoch(), state.coordinatorEpoch());
    }
  }

  private boolean isSame(
      String file, ProducerSnapshot.Entry entry, String what, long stored, long logged) {
    if (stored == logged) {
      return true;
    }
    Fault fault =
        Fault.of(
            PartitionReason.PRODUCER_SNAPSHOT_MISMATCH,
            0,
            stored,
            entry.producerId(),
            what,
            stored,
            logged);
    faults.addUnlessCompacted(file, fault);
    return false;
  }
}
