// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.MetadataSnapshotCheck;
import io.github.batchvalidator.audit.partition.PartitionAudit;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A feed of batches into the audits of their partitions. Segments come one after the other, those
 * of a partition together. Confined to one thread at a time.
 */
final class AuditFeed {
  private boolean compacted;
  private final Report report;
  private final BiConsumer<String, String> errors;
  private long faults;
  private long segmentFaults;
  private long unreadFiles;
  private long findings;
  private @Nullable PartitionAudit partition;
  private @Nullable MetadataSnapshotCheck snapshot;
  private @Nullable Segment segment;

  /**
   * Creates a feed.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param report receives the faults and the summaries of partitions
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  AuditFeed(boolean compacted, Report report, BiConsumer<String, String> errors) {
    this.compacted = compacted;
    this.report = report;
    this.errors =
        (file, why) -> {
          unreadFiles++;
          errors.accept(file, why);
        };
  }

  /** Says that all partitions are known to be compacted. */
  void compacted() {
    compacted = true;
  }

  private void report(String file, Fault fault) {
    if (fault.finding()) {
      findings++;
    } else {
      faults++;
    }
    report.fault(file, fault);
  }

  /** Takes the next batch of a segment. */
  void batch(Segment next, StoredBatch batch) {
    start(next);
    if (snapshot != null) {
      snapshot.batch(batch);
    } else if (partition != null) {
      partition.batch(batch);
    }
  }

  /** Ends the partition if the next segment belongs to another one. */
  void endBefore(Segment next) {
    Partition of = next.partition();
    if (partition != null
        && of != null
        && !next.isMetadataSnapshot()
        && partition.partition() != of) {
      end();
    }
  }

  private void start(Segment next) {
    if (segment == next) {
      return;
    }
    segment = next;
    Partition of = next.partition();
    if (next.isMetadataSnapshot()) {
      snapshot = new MetadataSnapshotCheck(next, this::report);
    } else if (of != null) {
      endBefore(next);
      PartitionAudit current = partition;
      if (current == null) {
        current = new PartitionAudit(of, compacted, this::report, errors);
        partition = current;
      }
      current.start(next);
    }
  }

  /** Leaves out a segment that was deleted before it was read. */
  void vanished(Segment next) {
    endBefore(next);
    PartitionAudit current = partition;
    if (current != null && current.partition() == next.partition()) {
      current.vanished();
    }
    segment = null;
  }

  /**
   * Ends a segment.
   *
   * @param faultsOfSegment the number of faults that concern one batch or the segment
   * @param complete false if the segment was not read to its end
   */
  void endSegment(Segment ended, long faultsOfSegment, boolean complete) {
    start(ended);
    if (snapshot != null) {
      snapshot.end();
      snapshot = null;
    } else if (partition != null && ended.partition() != null) {
      partition.endSegment();
      segmentFaults += faultsOfSegment;
      unreadFiles += complete ? 0 : 1;
    }
    segment = null;
  }

  /** Returns true if the current partition is known to be compacted, so far. */
  boolean isCompacted() {
    return partition == null ? compacted : partition.isCompacted();
  }

  /** Returns true if the end of the current partition decides about faults. */
  boolean isKeepingFaults() {
    return partition != null && partition.isKeepingFaults();
  }

  /** Ends the last partition. */
  void end() {
    PartitionAudit ended = partition;
    partition = null;
    if (ended != null) {
      PartitionSummary found = ended.end(); // may find more unread files
      report.partition(found.withFiles(segmentFaults, unreadFiles));
    }
    segmentFaults = 0;
    unreadFiles = 0;
  }

  /** Returns the number of findings that concern more than one batch. */
  long findings() {
    return findings;
  }

  /** Returns the number of faults that concern more than one batch. */
  long faults() {
    return faults;
  }
}
