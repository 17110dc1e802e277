// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.RemoteLog;
import io.github.batchvalidator.audit.source.Segment;

/**
 * A check that selects the log of a partition from tiered segments, which may overlap.
 *
 * <p>A leader uploads the segments of its own disk, and their borders differ between brokers. So
 * segments overlap after a leader change, with the same batches in both. After an unclean election
 * the batches differ, and the new leader's history decides which ones Kafka reads. Source: {@code
 * RemoteLogManager} of Kafka.
 *
 * <p>Batches that two segments have are compared, as far as they are remembered.
 *
 * <p>A batch is part of the log if the history has its leader epoch at its offset, and if no
 * earlier segment has it.
 */
final class OverlapCheck {
  private final String partition;
  private final RemoteLog remote;
  private final EpochCheck epochs;
  private final PartitionFaults faults;
  private final RecentBatches recent = new RecentBatches();
  private String file = "";

  /** The offset after the last batch of the log, or below 0 if it is unknown. */
  private long next = StoredBatch.NONE;

  private boolean overlapReported;
  private boolean conflictReported;
  private boolean supersededReported;

  /**
   * Creates a check.
   *
   * @param partition the name to show in reports
   * @param remote what is known of the partition
   * @param epochs knows the leader epochs of the current segment
   * @param faults receives the faults and findings
   */
  OverlapCheck(String partition, RemoteLog remote, EpochCheck epochs, PartitionFaults faults) {
    this.partition = partition;
    this.remote = remote;
    this.epochs = epochs;
    this.faults = faults;
    remote.faults().forEach(found -> faults.add(found.file(), found.fault()));
  }

  /** Starts a segment. */
  void start(Segment segment) {
    file = segment.name();
    overlapReported = false;
    conflictReported = false;
    supersededReported = false;
  }

  /** Says that batches may be unknown. */
  void interrupted() {
    next = StoredBatch.NONE;
    recent.clear();
  }

  /** The relation of a batch to the log of its partition. */
  enum Place {
    /** The next batch of the log. */
    NEXT,
    /** An earlier segment has the batch, or a new leader has replaced it. */
    SKIPPED,
    /** The batch contradicts an earlier segment, so the position in the log is lost. */
    CONFLICT
  }

  /** Returns what a batch is to the log. */
  Place place(StoredBatch batch) {
    int epoch = epochs.epochOf(batch);
    int now = LeaderEpochs.epochAt(remote.lineage(), batch.baseOffset());
    if (epoch >= 0 && now >= 0 && epoch != now) {
      superseded(batch, epoch, now);
      return Place.SKIPPED;
    }
    if (next < 0 || batch.baseOffset() >= next) {
      next = batch.lastOffset() + 1;
      recent.add(batch);
      return Place.NEXT;
    }
    boolean crosses = batch.lastOffset() >= next;
    overlaps(batch, crosses || recent.contradict(batch));
    if (crosses) {
      interrupted();
      return Place.CONFLICT;
    }
    return Place.SKIPPED;
  }

  private void superseded(StoredBatch batch, int epoch, int now) {
    if (!supersededReported) {
      supersededReported = true;
      TieredReason reason = TieredReason.TIERED_SEGMENT_SUPERSEDED;
      faults.add(file, Fault.of(reason, batch, epoch, batch.baseOffset(), now).asFinding());
    }
  }

  private void overlaps(StoredBatch batch, boolean differs) {
    if (differs && !conflictReported) {
      conflictReported = true;
      TieredReason reason = TieredReason.TIERED_SEGMENTS_CONFLICT;
      faults.add(file, Fault.of(reason, batch, batch.baseOffset()));
    } else if (!differs && !overlapReported) {
      overlapReported = true;
      TieredReason reason = TieredReason.TIERED_SEGMENTS_OVERLAP;
      faults.add(file, Fault.of(reason, batch, batch.baseOffset(), next - 1).asFinding());
    }
  }

  /** Ends the partition. */
  void end() {
    long local = remote.localStart();
    if (next >= 0 && local > next) {
      TieredReason reason = TieredReason.TIERED_LOCAL_GAP;
      faults.add(partition, Fault.of(reason, 0, next, local, next - 1));
    }
  }
}
