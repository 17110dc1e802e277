// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;

/** A check that no offsets are missing and that segments do not overlap. */
final class OffsetCheck implements PartitionCheck {
  private final PartitionFaults faults;
  private String file = "";

  /** The offset after the last batch, or below 0 if it is unknown. */
  private long next = StoredBatch.NONE;

  private int leaderEpoch = StoredBatch.NONE;

  OffsetCheck(PartitionFaults faults) {
    this.faults = faults;
  }

  @Override
  public void start(Segment segment) {
    file = segment.name();
    long base = segment.baseOffset();
    if (next >= 0 && base < next) {
      faults.add(
          file, Fault.of(PartitionReason.PARTITION_SEGMENTS_OVERLAP, 0, base, base, next - 1));
    }
    if (next < 0) {
      next = base;
    }
  }

  @Override
  public void batch(StoredBatch batch) {
    if (batch.recordCount() <= batch.lastOffset() - batch.baseOffset()) {
      faults.compacted();
    }
    if (next >= 0 && batch.baseOffset() > next) {
      Fault fault =
          Fault.of(PartitionReason.PARTITION_OFFSETS_MISSING, batch, next, batch.baseOffset() - 1);
      faults.addUnlessCompacted(file, fault);
    }
    if (batch.leaderEpoch() >= 0) {
      if (batch.leaderEpoch() < leaderEpoch) {
        faults.add(
            file,
            Fault.of(
                PartitionReason.PARTITION_LEADER_EPOCH_DECREASED,
                batch,
                batch.leaderEpoch(),
                leaderEpoch));
      }
      leaderEpoch = Math.max(leaderEpoch, batch.leaderEpoch());
    }
    next = Math.max(next, batch.lastOffset() + 1);
  }

  @Override
  public void interrupted() {
    next = StoredBatch.NONE;
  }
}
