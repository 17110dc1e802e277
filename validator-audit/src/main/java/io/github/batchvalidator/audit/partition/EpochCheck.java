// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.source.Upload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A check of the leader epochs of batches: they do not decrease, and the checkpoint of the
 * partition has them. A tiered segment has a checkpoint of its own.
 *
 * <p>No checksum covers the leader epoch of a batch. If it is not between those of the batches
 * around it, the field of the batch is wrong. If it is, but the checkpoint has another one, the
 * checkpoint is wrong. A batch with the same epoch as the one before it and in the checkpoint is
 * right. Any other is decided when the two batches after it are known.
 */
final class EpochCheck implements PartitionCheck {
  private static final int LOOKAHEAD = 2;

  private final PartitionFaults faults;
  private @Nullable StoredFile file;
  private NavigableMap<Long, Integer> epochs = Collections.emptyNavigableMap();
  private String segment = "";
  private boolean isTiered;

  /** True until a batch is found, if the checkpoint is the empty file of a new partition. */
  private boolean isUnwritten;

  /** The leader epoch of the last batch that fits, or below 0. */
  private int previous = StoredBatch.NONE;

  private int reportedEpoch = StoredBatch.NONE;

  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** A batch that is not decided yet, and its file. */
  private record Waiting(String file, StoredBatch batch) {}

  /**
   * Creates a check and reads the checkpoint.
   *
   * @param file the checkpoint, or null if there is none
   * @param faults receives the faults
   */
  EpochCheck(@Nullable StoredFile file, PartitionFaults faults) {
    this.faults = faults;
    read(file);
  }

  private void read(@Nullable StoredFile checkpoint) {
    file = checkpoint;
    epochs = Collections.emptyNavigableMap();
    reportedEpoch = StoredBatch.NONE;
    isUnwritten = false;
    if (checkpoint != null) {
      try {
        // A broker creates the file with the partition, and writes it with the first batch.
        isUnwritten = checkpoint.size() == 0;
      } catch (IOException e) {
        faults.unread(checkpoint.name(), e);
        return;
      }
      if (!isUnwritten) {
        readEpochs(checkpoint);
      }
    }
  }

  private void readEpochs(StoredFile checkpoint) {
    isUnwritten = false;
    try {
      epochs = LeaderEpochs.read(checkpoint, this::report);
    } catch (IOException e) {
      faults.unread(checkpoint.name(), e);
    }
  }

  /** Reads the checkpoint again, which a broker may have replaced. A damaged one is left out. */
  private void readAgain(StoredFile checkpoint) {
    try {
      NavigableMap<Long, Integer> now = LeaderEpochs.read(checkpoint, (reason, operands) -> {});
      epochs = now.isEmpty() ? epochs : now;
    } catch (IOException e) {
      // The entries before it still count.
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
    isTiered = upload != null;
    if (upload != null) {
      read(upload.leaderEpochs());
    }
  }

  /** Returns the offset of the last entry of the checkpoint, or -1 without entries. */
  long lastStart() {
    return epochs.isEmpty() ? StoredBatch.NONE : epochs.lastKey();
  }

  /** Returns the epoch of a batch: that of the checkpoint, or that of the batch without one. */
  int epochOf(StoredBatch batch) {
    return epochs.isEmpty()
        ? batch.leaderEpoch()
        : LeaderEpochs.epochAt(epochs, batch.baseOffset());
  }

  @Override
  public void batch(StoredBatch batch) {
    if (batch.leaderEpoch() != StoredBatch.NONE) {
      if (isUnwritten && file != null) {
        readEpochs(file);
      }
      if (waiting.isEmpty() && isUsual(batch)) {
        return;
      }
      waiting.add(new Waiting(segment, batch));
    }
    if (waiting.size() > LOOKAHEAD) {
      decideFirst();
      while (!waiting.isEmpty() && isUsual(waiting.getFirst().batch())) {
        waiting.removeFirst();
      }
    }
  }

  /** Decides the rest of a tiered segment, because the next segment has its own checkpoint. */
  @Override
  public void endSegment() {
    if (isTiered) {
      end();
    }
  }

  @Override
  public void end() {
    while (!waiting.isEmpty()) {
      decideFirst();
    }
  }

  /** Returns true if the next batch is right whatever follows, as nearly all are. */
  private boolean isUsual(StoredBatch batch) {
    int epoch = batch.leaderEpoch();
    return epoch == previous && epoch == expected(batch);
  }

  private void decideFirst() {
    Waiting first = waiting.remove();
    int epoch = first.batch().leaderEpoch();
    int next = epoch(waiting.peekFirst());
    int later = waiting.size() < LOOKAHEAD ? StoredBatch.NONE : epoch(waiting.peekLast());
    int expected = expected(first.batch());
    if (epoch < previous) {
      report(first, PartitionReason.PARTITION_LEADER_EPOCH_DECREASED, epoch, previous);
    } else if (epoch < 0) {
      report(first, PartitionReason.PARTITION_LEADER_EPOCH_INVALID, epoch, "no epoch is below 0");
    } else if (isAbove(epoch, next) && isWrong(epoch, expected, later)) {
      report(
          first,
          PartitionReason.PARTITION_LEADER_EPOCH_INVALID,
          epoch,
          "a later batch has " + next);
    } else {
      previous = epoch;
      if (epoch != expected) {
        reportMismatch(first, epoch);
      }
    }
  }

  private static int epoch(@Nullable Waiting each) {
    return each == null ? StoredBatch.NONE : each.batch().leaderEpoch();
  }

  /** Returns true if the epoch of a batch or of the one after it is wrong. */
  private boolean isAbove(int epoch, int next) {
    return next >= previous && next >= 0 && epoch > next;
  }

  /** Returns true if an epoch is too high, rather than the one after it too low. */
  private boolean isWrong(int epoch, int expected, int later) {
    return epochs.isEmpty() ? epoch > later : epoch != expected;
  }

  /** Returns the epoch that the checkpoint has for a batch, or the batch if it says nothing. */
  private int expected(StoredBatch batch) {
    int epoch = batch.leaderEpoch();
    if (epochs.isEmpty()) {
      return epoch;
    }
    Map.Entry<Long, Integer> entry = epochs.floorEntry(batch.baseOffset());
    if (entry == null) { // deleted offsets may be in the first segment
      return Math.min(epoch, epochs.firstEntry().getValue());
    }
    return entry.getValue();
  }

  private void report(Waiting each, PartitionReason reason, Object... operands) {
    faults.add(each.file(), Fault.of(reason, each.batch(), operands));
  }

  /** Reports an epoch that the checkpoint lacks, once. */
  private void reportMismatch(Waiting each, int epoch) {
    StoredFile checkpoint = file;
    if (checkpoint != null && epoch != reportedEpoch) {
      StoredBatch batch = each.batch();
      readAgain(checkpoint);
      int expected = expected(batch);
      if (epoch == expected) {
        return;
      }
      reportedEpoch = epoch;
      Fault fault =
          Fault.of(
              PartitionReason.EPOCH_CHECKPOINT_MISMATCH,
              0,
              batch.baseOffset(),
              batch.baseOffset(),
              Path.of(each.file()).getFileName(),
              batch.position(),
              epoch,
              expected);
      faults.add(checkpoint.name(), fault);
    }
  }
}
