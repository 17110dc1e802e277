// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of the snapshots of producers against the log. It must see each batch before {@link
 * ProducerCheck}.
 *
 * <p>A producer that the log has and the snapshot lacks is no fault, because brokers forget idle
 * producers.
 */
final class SnapshotCheck implements PartitionCheck {
  private final NavigableMap<Long, StoredFile> snapshots;
  private final ProducerCheck producers;
  private final PartitionFaults faults;
  private final BiConsumer<String, String> errors;
  private long next = StoredBatch.NONE;

  /**
   * Creates a check.
   *
   * @param snapshots by offset
   * @param producers the state of the producers before the current batch
   * @param faults receives the faults
   * @param errors receives the name of each snapshot that cannot be read, and the cause
   */
  SnapshotCheck(
      NavigableMap<Long, StoredFile> snapshots,
      ProducerCheck producers,
      PartitionFaults faults,
      BiConsumer<String, String> errors) {
    this.snapshots = snapshots;
    this.producers = producers;
    this.faults = faults;
    this.errors = errors;
  }

  @Override
  public void batch(StoredBatch batch) {
    compareUpTo(batch.baseOffset());
    next = batch.lastOffset() + 1;
  }

  @Override
  public void interrupted() {
    next = StoredBatch.NONE;
  }

  @Override
  public void end() {
    if (next >= 0) {
      compareUpTo(next);
    }
    while (!snapshots.isEmpty()) { // no batches are known for these
      read(snapshots.pollFirstEntry().getValue());
    }
  }

  private void compareUpTo(long offset) {
    while (!snapshots.isEmpty() && snapshots.firstKey() <= offset) {
      Map.Entry<Long, StoredFile> snapshot = snapshots.pollFirstEntry();
      List<ProducerSnapshot.Entry> entries = read(snapshot.getValue());
      if (entries == null) {
        continue;
      }
      long at = snapshot.getKey();
      if (next < 0 && at == offset && !producers.isComplete()) {
        producers.restore(entries);
      } else if (next >= 0 && at >= next) {
        entries.forEach(entry -> compare(snapshot.getValue().name(), entry));
      }
    }
  }

  private @Nullable List<ProducerSnapshot.Entry> read(StoredFile file) {
    try {
      return ProducerSnapshot.read(file);
    } catch (ProducerSnapshot.InvalidException e) {
      String why = String.valueOf(e.getMessage());
      faults.add(
          file.name(),
          Fault.of(PartitionReason.PRODUCER_SNAPSHOT_UNREADABLE, 0, Fault.UNKNOWN, why));
    } catch (IOException e) {
      errors.accept(file.name(), Messages.of(e));
    }
    return null;
  }

  private void compare(String file, ProducerSnapshot.Entry entry) {
    ProducerState state = producers.peek(entry.producerId());
    boolean isKnown = state.epoch() != StoredBatch.NONE && !state.isUncertain();
    if (!isKnown && !producers.isComplete()) {
      return;
    }
    compare(file, entry, "epoch", entry.epoch(), state.epoch());
    compare(file, entry, "last sequence", entry.lastSequence(), state.lastSequence());
    compare(file, entry, "last offset", entry.lastOffset(), state.lastOffset());
    if (state.isStartCertain() || entry.transactionStart() < 0) {
      compare(
          file,
          entry,
          "start of the transaction",
          entry.transactionStart(),
          state.transactionStart());
    }
  }

  private void compare(
      String file, ProducerSnapshot.Entry entry, String what, long stored, long logged) {
    if (stored != logged) {
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
    }
  }
}
