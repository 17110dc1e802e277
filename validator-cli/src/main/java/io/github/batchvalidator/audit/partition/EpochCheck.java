// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.source.Upload;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of the leader epochs of batches: they do not decrease, and the checkpoint of the
 * partition has them. A tiered segment has a checkpoint of its own.
 */
final class EpochCheck implements PartitionCheck {
  private final PartitionFaults faults;
  private final BiConsumer<String, String> errors;
  private @Nullable StoredFile file;
  private NavigableMap<Long, Integer> epochs = Collections.emptyNavigableMap();
  private String segment = "";

  /** The leader epoch of the last batch that fits, or below 0. */
  private int previous = StoredBatch.NONE;

  private int reportedEpoch = StoredBatch.NONE;

  private boolean isAfterGap;

  /** A batch after a gap. Its base offset is wrong if the next batch has a lower one. */
  private @Nullable StoredBatch waiting;

  /**
   * Creates a check and reads the checkpoint.
   *
   * @param file the checkpoint, or null if there is none
   * @param faults receives the faults
   * @param errors receives the name of a checkpoint that cannot be read, and the cause
   */
  EpochCheck(@Nullable StoredFile file, PartitionFaults faults, BiConsumer<String, String> errors) {
    this.faults = faults;
    this.errors = errors;
    read(file);
  }

  private void read(@Nullable StoredFile checkpoint) {
    file = checkpoint;
    epochs = Collections.emptyNavigableMap();
    reportedEpoch = StoredBatch.NONE;
    if (checkpoint != null) {
      try {
        epochs = LeaderEpochs.read(checkpoint, this::report);
      } catch (IOException e) {
        errors.accept(checkpoint.name(), Messages.of(e));
      }
    }
  }

  private void report(PartitionReason reason, Object... operands) {
    StoredFile checkpoint = file;
    if (checkpoint != null) {
      faults.add(checkpoint.name(), Fault.of(reason, 0, Fault.UNKNOWN, operands));
    }
  }

  @Override
  public void start(Segment next) {
    segment = next.name();
    Upload upload = next.upload();
    if (upload != null) {
      read(upload.leaderEpochs());
    }
  }

  /** Returns the epoch of a batch: that of the checkpoint, or that of the batch without one. */
  int epochOf(StoredBatch batch) {
    return epochs.isEmpty()
        ? batch.leaderEpoch()
        : LeaderEpochs.epochAt(epochs, batch.baseOffset());
  }

  @Override
  public void interrupted(long from, long to) {
    isAfterGap = true;
  }

  @Override
  public void batch(StoredBatch batch) {
    StoredBatch before = waiting;
    waiting = null;
    if (before != null && batch.baseOffset() > before.baseOffset()) {
      check(before);
    }
    if (isAfterGap) {
      isAfterGap = false;
      waiting = batch;
    } else {
      check(batch);
    }
  }

  @Override
  public void repeated(StoredBatch batch) {
    waiting = null;
  }

  @Override
  public void endSegment() {
    StoredBatch last = waiting;
    waiting = null;
    if (last != null) {
      check(last);
    }
  }

  private void check(StoredBatch batch) {
    int epoch = batch.leaderEpoch();
    if (epoch < 0) {
      return;
    }
    if (epoch < previous) {
      faults.add(
          segment,
          Fault.of(PartitionReason.PARTITION_LEADER_EPOCH_DECREASED, batch, epoch, previous));
      previous = epoch;
    } else if (epochs.isEmpty() || isInCheckpoint(batch)) {
      previous = epoch;
    }
  }

  /** Returns true if the checkpoint has the epoch of a batch. Reports each epoch once. */
  private boolean isInCheckpoint(StoredBatch batch) {
    Map.Entry<Long, Integer> entry = epochs.floorEntry(batch.baseOffset());
    boolean isBeforeStart = entry == null; // deleted offsets may be in the first segment
    int expected = isBeforeStart ? epochs.firstEntry().getValue() : entry.getValue();
    int epoch = batch.leaderEpoch();
    if (epoch == expected || (isBeforeStart && epoch < expected)) {
      return true;
    }
    StoredFile checkpoint = file;
    if (checkpoint != null && epoch != reportedEpoch) {
      reportedEpoch = epoch;
      Object[] operands = {batch.baseOffset(), epoch, expected};
      faults.add(
          checkpoint.name(),
          Fault.of(PartitionReason.EPOCH_CHECKPOINT_MISMATCH, 0, batch.baseOffset(), operands));
    }
    return false;
  }
}
