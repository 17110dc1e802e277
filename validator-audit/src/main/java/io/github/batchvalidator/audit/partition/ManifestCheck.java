// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.Upload;
import org.jspecify.annotations.Nullable;

/** A check of what a tiered storage states about a segment against its batches. */
final class ManifestCheck implements PartitionCheck {
  private final EpochCheck epochs;
  private final PartitionFaults faults;
  private Upload.@Nullable Manifest manifest;
  private long lastOffset;
  private long maxTimestamp;
  private boolean epochReported;

  ManifestCheck(EpochCheck epochs, PartitionFaults faults) {
    this.epochs = epochs;
    this.faults = faults;
  }

  @Override
  public void start(Segment segment) {
    Upload upload = segment.upload();
    manifest = upload == null ? null : upload.manifest();
    lastOffset = StoredBatch.NONE;
    maxTimestamp = StoredBatch.NONE;
    epochReported = false;
    if (upload != null) {
      upload.faults().forEach(found -> faults.add(found.file(), found.fault()));
    }
  }

  @Override
  public void batch(StoredBatch batch) {
    Upload.Manifest stated = manifest;
    if (stated == null) {
      return;
    }
    lastOffset = Math.max(lastOffset, batch.lastOffset());
    maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
    int epoch = epochs.epochOf(batch);
    int of = LeaderEpochs.epochAt(stated.leaderEpochs(), batch.baseOffset());
    if (epoch >= 0 && epoch != of && !stated.leaderEpochs().isEmpty() && !epochReported) {
      epochReported = true;
      String what = "leader epoch of offset " + batch.baseOffset();
      faults.add(stated.name(), mismatch(what, of, epoch));
    }
  }

  @Override
  public void repeated(StoredBatch batch) {
    batch(batch);
  }

  /** Leaves the rest of the segment unchecked if batches are unknown. */
  @Override
  public void interrupted(long from, long to) {
    if (from < to) {
      manifest = null;
    }
  }

  @Override
  public void endSegment() {
    Upload.Manifest stated = manifest;
    if (stated == null) {
      return;
    }
    if (stated.endOffset() != lastOffset) { // compaction may have removed the last batches
      faults.addUnlessCompacted(
          stated.name(), mismatch("last offset", stated.endOffset(), lastOffset));
    }
    if (maxTimestamp >= 0 && stated.maxTimestamp() != maxTimestamp) {
      // A broker that truncates a segment after a start forgets timestamps that no index has.
      Fault fault = mismatch("largest timestamp", stated.maxTimestamp(), maxTimestamp);
      faults.add(stated.name(), fault.asFinding());
    }
  }

  private static Fault mismatch(String what, long manifestHas, long segmentHas) {
    TieredReason reason = TieredReason.TIERED_MANIFEST_MISMATCH;
    return Fault.of(reason, 0, Fault.UNKNOWN, what, manifestHas, segmentHas);
  }
}
