// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Segment;
import java.util.function.BiConsumer;

/** A check that a snapshot of KRaft is complete: it has a header and a footer. Source: KIP-630. */
public final class MetadataSnapshotCheck {
  private final Segment segment;
  private final BiConsumer<String, Fault> faults;

  /** The position after the last batch. */
  private long position;

  private boolean footer;

  public MetadataSnapshotCheck(Segment segment, BiConsumer<String, Fault> faults) {
    this.segment = segment;
    this.faults = faults;
  }

  /** Takes the next batch. */
  public void batch(StoredBatch batch) {
    if (batch.position() == 0 && !isControl(batch, Control.SNAPSHOT_HEADER)) {
      Fault fault = Fault.of(PartitionReason.METADATA_SNAPSHOT_HEADER_MISSING, batch);
      faults.accept(segment.name(), fault);
    }
    position = batch.position() + batch.bytes();
    footer = isControl(batch, Control.SNAPSHOT_FOOTER);
  }

  private static boolean isControl(StoredBatch batch, int type) {
    Control control = batch.control();
    return control != null && control.type() == type;
  }

  /** Ends the snapshot. Says nothing about its end if bytes after the last batch are unreadable. */
  public void end() {
    if (!footer && position == segment.size()) {
      Fault fault =
          Fault.of(PartitionReason.METADATA_SNAPSHOT_FOOTER_MISSING, segment.size(), Fault.UNKNOWN);
      faults.accept(segment.name(), fault);
    }
  }
}
