// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.CommittedOffsets;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.RemoteLog;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An audit of the segments of one partition together: offsets, indexes, leader epochs, producers
 * and transactions.
 *
 * <p>The caller passes the segments and their batches in the order of their offsets. It passes all
 * batches whose checksum is right. The positions of the batches show where bytes could not be read.
 * Memory does not depend on the number of batches. Confined to one thread at a time.
 *
 * <pre>{@code
 * PartitionAudit audit = new PartitionAudit(partition, false, report::fault, report::error);
 * for (Segment segment : segments) {
 *   audit.start(segment);
 *   batchesOf(segment).forEach(audit::batch);
 *   audit.endSegment();
 * }
 * PartitionSummary summary = audit.end();
 * }</pre>
 */
public final class PartitionAudit {
  private final Partition partition;
  private final PartitionFaults faults;
  private final OffsetCheck offsets;
  private final ProducerCheck producers;
  private final List<PartitionCheck> indexes;

  /** An array, because iterators would be garbage per batch. */
  private final PartitionCheck[] checks;

  /** The check of tiered segments, or null for other segments, which must not overlap. */
  private final @Nullable OverlapCheck overlap;

  private int segments;

  /** The position after the last batch of the segment. */
  private long position;

  private @Nullable Segment segment;

  /** The start of the log, or -1 if it is not after the first batches, or was passed. */
  private long logStart;

  private long firstOffset = StoredBatch.NONE;
  private long lastOffset = StoredBatch.NONE;
  private long faultCount;

  /**
   * Starts an audit.
   *
   * @param partition the partition
   * @param compacted true if the partition is known to be compacted, so that offsets may be missing
   * @param sink receives the faults
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  public PartitionAudit(
      Partition partition,
      boolean compacted,
      BiConsumer<String, Fault> sink,
      BiConsumer<String, String> errors) {
    this.partition = partition;
    faults =
        new PartitionFaults(
            compacted || partition.isCompacted(),
            (file, fault) -> {
              faultCount += fault.finding() ? 0 : 1;
              sink.accept(file, fault);
            },
            errors);
    StateFilesCheck.check(partition, faults);
    offsets = new OffsetCheck(faults);
    NavigableMap<Long, StoredFile> snapshots = snapshots();
    EpochCheck epochs = new EpochCheck(partition.leaderEpochs(), faults);
    LogTail tail = new LogTail(partition, snapshots, epochs, faults);
    TxnIndexCheck txnIndex = new TxnIndexCheck(faults, tail);
    indexes =
        List.of(new OffsetIndexCheck(faults, tail), new TimeIndexCheck(faults, tail), txnIndex);
    boolean byClients = !partition.topic().equals(CommittedOffsets.TOPIC);
    producers = new ProducerCheck(faults, txnIndex, byClients);
    List<PartitionCheck> all = new ArrayList<>();
    RemoteLog remote = partition.remote();
    overlap = remote == null ? null : new OverlapCheck(partition.name(), remote, epochs, faults);
    all.add(epochs);
    all.add(tail);
    all.add(new ManifestCheck(epochs, faults));
    all.addAll(indexes);
    all.add(new SnapshotCheck(snapshots, producers, faults));
    all.add(producers);
    checks = all.toArray(PartitionCheck[]::new);
    logStart = readLogStart();
  }

  private long readLogStart() {
    try {
      return partition.checkpoint(PartitionDirectory.LOG_STARTS);
    } catch (IOException unreadable) {
      return StoredBatch.NONE; // where it matters, LogTail reports it
    }
  }

  private NavigableMap<Long, StoredFile> snapshots() {
    try {
      return new TreeMap<>(partition.producerSnapshots());
    } catch (IOException e) {
      faults.unread(partition.name(), e);
      return new TreeMap<>();
    }
  }

  /** Returns the partition. */
  public Partition partition() {
    return partition;
  }

  /** Starts a segment. */
  public void start(Segment next) {
    if (segments == 0 && next.baseOffset() > 0) {
      producers.interrupted(0, 0);
    }
    if (segments == 0 && logStart <= next.baseOffset()) {
      logStart = StoredBatch.NONE;
    }
    segments++;
    position = 0;
    segment = next;
    boolean fits = offsets.start(next);
    for (PartitionCheck check : checks) {
      if (fits || !indexes.contains(check)) { // the entries of indexes are relative to the name
        check.start(next);
      }
    }
    if (overlap != null) {
      overlap.start(next);
    }
  }

  /**
   * Notes that the next segment was deleted before it was read, so that its batches are unknown.
   */
  public void vanished() {
    unreadable(Long.MAX_VALUE);
  }

  /** Takes the next batch of the segment. */
  public void batch(StoredBatch batch) {
    if (position < batch.position()) {
      unreadable(batch.position());
    }
    position = batch.position() + batch.bytes();
    if (firstOffset < 0) {
      firstOffset = batch.baseOffset();
    }
    lastOffset = Math.max(lastOffset, batch.lastOffset());
    passLogStart(batch);
    OffsetCheck.Continuation continuation = continuation(batch);
    if (continuation == OffsetCheck.Continuation.AFTER_GAP) {
      interrupted(batch.position(), batch.position());
    }
    for (PartitionCheck check : checks) {
      if (continuation == OffsetCheck.Continuation.REPEATED) {
        check.repeated(batch);
      } else {
        check.batch(batch);
      }
    }
  }

  /**
   * Forgets what is known of producers at each batch up to the start of the log. A client may have
   * deleted records of open transactions. A broker that loads the log again, without a later
   * snapshot, knows nothing from before the start at that time, which may be lower ({@code
   * UnifiedLog.rebuildProducerState} of Kafka).
   */
  private void passLogStart(StoredBatch batch) {
    if (logStart >= 0) {
      producers.interrupted(0, 0);
      logStart = batch.lastOffset() >= logStart ? StoredBatch.NONE : logStart;
    }
  }

  private OffsetCheck.Continuation continuation(StoredBatch batch) {
    OverlapCheck.Place place = overlap == null ? OverlapCheck.Place.NEXT : overlap.place(batch);
    if (place == OverlapCheck.Place.NEXT) {
      return offsets.batch(batch);
    }
    if (place == OverlapCheck.Place.CONFLICT) {
      offsets.interrupted();
      interrupted(batch.position(), batch.position());
    } else {
      offsets.skipped();
    }
    return OffsetCheck.Continuation.REPEATED;
  }

  /** Notes bytes from the current position on that are no readable batch. */
  private void unreadable(long end) {
    offsets.interrupted();
    interrupted(position, end);
    if (overlap != null) {
      overlap.interrupted();
    }
  }

  private void interrupted(long from, long to) {
    for (PartitionCheck check : checks) {
      check.interrupted(from, to);
    }
  }

  /** Ends the segment. */
  public void endSegment() {
    Segment ended = segment;
    if (ended == null || position < ended.size() || !ended.isOpened()) {
      unreadable(Long.MAX_VALUE); // bytes may be missing at the end, too
    }
    offsets.endSegment();
    for (PartitionCheck check : checks) {
      check.endSegment();
    }
  }

  /** Returns true if the partition is known to be compacted, so far. */
  public boolean isCompacted() {
    return faults.isCompacted();
  }

  /** Returns true if it has faults that count only if the rest shows no compaction. */
  public boolean isKeepingFaults() {
    return faults.isKeeping();
  }

  /** Ends the partition, and returns what was found. */
  public PartitionSummary end() {
    for (PartitionCheck check : checks) {
      check.end();
    }
    if (overlap != null) {
      overlap.end();
    }
    long dropped = faults.end(partition);
    return new PartitionSummary(
        partition.name(),
        partition.topic(),
        segments,
        firstOffset,
        lastOffset,
        faults.isCompacted(),
        producers.seen(),
        producers.forgotten(),
        producers.committed(),
        producers.aborted(),
        producers.openTransactions(),
        producers.firstOpenOffset(),
        producers.emptyMarkers(),
        faultCount,
        dropped,
        0,
        0);
  }
}
