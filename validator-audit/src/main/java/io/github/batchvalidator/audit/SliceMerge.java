// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.BaseOffsetCheck;
import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.salvage.PartitionPlan;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StorageFaultException;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A merge of slice results into one report in file order.
 *
 * <p>Memory and open files are bounded: a thread that is more than {@value #MAX_AHEAD} slices or
 * {@value #MAX_FILES} files ahead, or has too many faults, waits for its turn. Slices are handed
 * out in order, so the thread with the first unfinished slice never waits.
 *
 * <p>Thread-safe.
 */
public final class SliceMerge implements SliceCheck.Flush {
  private static final int MAX_AHEAD = 256;

  /** The number of batches and records in memory from which on threads wait for their turn. */
  private static final long MAX_ENTRIES = 1 << 16;

  /** The number of finished files that may stay open until their turn. */
  private static final int MAX_FILES = 32;

  private final Report report;
  private final AuditFeed audit;
  private Listing listing = Listing.NONE;
  private final Map<Long, SliceResult> waiting = new HashMap<>();
  private long waitingEntries;
  private int waitingFiles;
  private final Tally total = new Tally();
  private long turn;
  private boolean aborted;
  private boolean stopped;
  private long files;
  private long fileBytes;
  private long vanishedFiles;
  private long errors;

  private Tally fileTally = new Tally();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private boolean complete = true;
  private @Nullable SalvagePlanner salvage;
  private @Nullable BatchPlan plan;
  private @Nullable Offsets offsets;

  /** True if the file was deleted before it was read. */
  private boolean vanished;

  /**
   * Creates a merge.
   *
   * @param report receives the results
   * @param compacted true if all partitions are known to be compacted
   */
  public SliceMerge(Report report, boolean compacted) {
    this.report = report;
    audit = new AuditFeed(compacted, report, this::error);
  }

  /** Says that all partitions are known to be compacted. Call it before the run. */
  public synchronized void compacted() {
    audit.compacted();
  }

  /** Sets what to list beside faults. Call it before the run. */
  public SliceMerge listing(Listing next) {
    listing = next;
    return this;
  }

  /** Returns what to list beside faults. */
  Listing listing() {
    return listing;
  }

  /** Starts to plan the salvage of damaged segments. Call it before the run. */
  public SliceMerge salvaging() {
    salvage = new SalvagePlanner();
    return planning(salvage);
  }

  /** Passes the batches on to the plan of a copy. Call it before the run. */
  public SliceMerge planning(BatchPlan next) {
    plan = next;
    return this;
  }

  /** Returns true if batches will be copied. */
  boolean isPlanning() {
    return plan != null;
  }

  /** Returns the plans for all partitions with damaged segments. Call it after the run. */
  public synchronized List<PartitionPlan> plans() {
    SalvagePlanner planner = salvage;
    return planner == null ? List.of() : planner.end();
  }

  /**
   * Adds the result of a finished slice. Waits if the slice is too far ahead.
   *
   * <p>The last slice of a segment passes its use of the segment on to the merge, which releases it
   * when the segment is compared with the files beside it. Until then the segment is open, so that
   * no other file can have its inode, and {@link Segment#lookAgain} sees a replacement.
   */
  public synchronized void add(SliceResult result) throws InterruptedException {
    long index = result.slice().index();
    while (index > turn && !stopped && isFull(index)) {
      checkNotAborted();
      wait();
    }
    if (stopped) {
      released(result);
      return;
    }
    waiting.put(index, result);
    waitingEntries += result.entries();
    waitingFiles += result.slice().last() ? 1 : 0;
    while (!stopped) {
      SliceResult next = waiting.remove(turn);
      if (next == null) {
        break;
      }
      waitingEntries -= next.entries();
      waitingFiles -= next.slice().last() ? 1 : 0;
      finish(next);
      turn++;
      stopIfClosed(next);
    }
    notifyAll();
  }

  private boolean isFull(long index) {
    return index - turn > MAX_AHEAD || waitingEntries > MAX_ENTRIES || waitingFiles >= MAX_FILES;
  }

  /** Reports the faults of an unfinished slice so far. Waits for the turn of the slice. */
  @Override
  public synchronized void flush(SliceResult result) throws InterruptedException {
    while (result.slice().index() > turn && !stopped) {
      checkNotAborted();
      wait();
    }
    if (complete && !stopped) {
      reportFaults(result);
      stopIfClosed(result);
    }
    result.faults().clear();
    result.batches().clear();
    result.records().clear();
  }

  /**
   * Stops the run if nobody receives the report. The faults so far still count. A run that plans a
   * copy goes on: it needs all segments.
   */
  private void stopIfClosed(SliceResult last) {
    if (!stopped && !isPlanning() && report.isClosed()) {
      stopped = true;
      total.add(fileTally);
      if (last.slice().index() == turn) { // not finished
        total.add(last.tally());
      }
      waiting.values().forEach(this::released);
      closeOffsets();
      notifyAll();
    }
  }

  /** Returns true if the run should end because nobody receives the report. */
  public synchronized boolean isStopped() {
    return stopped;
  }

  private void checkNotAborted() throws InterruptedException {
    if (aborted) {
      throw new InterruptedException("another thread failed");
    }
  }

  /** Makes waiting threads throw {@link InterruptedException}, because another thread failed. */
  public synchronized void abort() {
    aborted = true;
    notifyAll();
  }

  /** Ends the use of a segment by its last slice. */
  private void released(SliceResult result) {
    if (result.slice().last()) {
      release(result.slice().segment());
    }
  }

  /** Ends the use of a segment. */
  void release(Segment segment) {
    try {
      segment.release();
    } catch (IOException e) {
      error(segment.name(), Messages.of(e));
    }
  }

  private void finish(SliceResult result) {
    Slice slice = result.slice();
    if (complete) { // results after a read error are dropped: their number varies between runs
      reportSlice(result);
    }
    if (slice.last()) {
      endFile(slice.segment());
    }
  }

  private void reportSlice(SliceResult result) {
    Slice slice = result.slice();
    if (result.error() instanceof NoSuchFileException && slice.segment().isSearched()) {
      complete = false;
      vanished = true;
      return;
    }
    reportFaults(result);
    fileTally.add(result.tally());
    if (result.hasOffsets()) {
      lastOffset = result.lastOffset();
    }
    Fault fault = slice.fault();
    Throwable error = result.error();
    if (error instanceof StorageFaultException storage) {
      complete = false;
      fileTally.fault(storage.found().fault());
      report.fault(storage.found().file(), storage.found().fault());
    } else if (error != null) {
      complete = false;
      error(slice.segment().name(), Messages.of(error));
    } else if (fault != null) {
      reportFault(slice.segment(), fault);
    }
  }

  /** Decisions about the base offsets of a segment. */
  private final class Offsets implements BaseOffsetCheck.Output {
    private final Segment segment;
    private final BaseOffsetCheck check;

    private Offsets(Segment segment) {
      this.segment = segment;
      check = new BaseOffsetCheck(segment, new OffsetEvidence(segment.partition()), this);
    }

    @Override
    public void fault(Fault fault) {
      reportFault(segment, fault);
    }

    @Override
    public void batch(StoredBatch batch, boolean isSound) {
      if (segment.isAudited()) {
        audit.batches(segment, List.of(batch));
      }
      BatchPlan planner = plan;
      if (planner != null) {
        planner.batch(segment, batch, isSound);
      }
    }
  }

  private BaseOffsetCheck offsets(Segment segment) {
    Offsets current = offsets;
    if (current == null || current.segment != segment) {
      current = new Offsets(segment);
      offsets = current;
    }
    return current.check;
  }

  private void closeOffsets() {
    Offsets ended = offsets;
    offsets = null;
    if (ended != null) {
      ended.check.close();
    }
  }

  /** Reports batches, their records and their faults, in the order of their positions. */
  private void reportFaults(SliceResult result) {
    Segment segment = result.slice().segment();
    audit.endBefore(segment);
    if (!hasOffsets && result.hasOffsets()) {
      firstOffset = result.firstOffset();
      hasOffsets = true;
    }
    String name = segment.name();
    PeekingList<StoredBatch> batches = new PeekingList<>(result.batches(), StoredBatch::position);
    PeekingList<StoredRecord> records =
        new PeekingList<>(result.records(), StoredRecord::batchPosition);
    PeekingList<Fault> faults = new PeekingList<>(result.faults(), Fault::position);
    while (batches.hasNext() || records.hasNext() || faults.hasNext()) {
      if (batches.position() <= Math.min(records.position(), faults.position())) {
        StoredBatch batch = batches.next();
        if (listing != Listing.NONE) {
          report.batch(name, batch);
        }
        boolean isSound = faults.position() != batch.position() || faults.peek().finding();
        offsets(segment).add(batch, isSound);
      } else if (records.position() <= faults.position()) {
        report.record(name, records.next());
      } else {
        report(segment, faults.next());
      }
    }
  }

  /** Reports a fault that is counted already. */
  private void report(Segment segment, Fault fault) {
    report.fault(segment.name(), fault);
    BatchPlan planner = plan;
    if (planner != null) {
      planner.fault(segment, fault);
    }
  }

  private void reportFault(Segment segment, Fault fault) {
    fileTally.fault(fault);
    report(segment, fault);
  }

  private void endRead(Segment segment) {
    offsets(segment).end();
    if (segment.isAudited()) {
      audit.endSegment(segment, fileTally.faults(), complete);
    }
    BatchPlan planner = plan;
    if (planner != null) {
      planner.endSegment(segment, fileTally.faults() > 0, complete, fileTally.batches());
    }
  }

  private void endFile(Segment segment) {
    if (vanished) {
      vanishedFiles++;
      audit.vanished(segment);
    } else {
      endRead(segment);
    }
    closeOffsets();
    release(segment);
    segment.end();
    total.add(fileTally);
    if (segment.isOpened() && !vanished) {
      files++;
      fileBytes += segment.size();
      report.file(
          new FileSummary(
              segment.name(), segment.size(), firstOffset, lastOffset, complete, fileTally));
    }
    fileTally = new Tally();
    hasOffsets = false;
    complete = true;
    vanished = false;
  }

  /** Reports what was copied of a damaged segment. */
  synchronized void salvaged(SalvageSummary summary) {
    report.salvage(summary);
  }

  /** Reports the repair of a partition. */
  public synchronized void repaired(RepairSummary summary) {
    report.repair(summary);
  }

  /** Reports a file or directory that could not be read. */
  public synchronized void error(String name, String message) {
    errors++;
    report.error(name, message);
  }

  /** Returns true if the current partition is known to be compacted, so far. */
  public synchronized boolean isCompacted() {
    return audit.isCompacted();
  }

  /** Returns true if there are faults of the current partition that only its end decides. */
  public synchronized boolean isKeepingFaults() {
    return audit.isKeepingFaults();
  }

  /** Ends the last partition. Call it after the run if the faults of partitions are needed. */
  public synchronized void endPartitions() {
    if (!stopped) {
      audit.end();
    }
  }

  /** Ends the run, and reports and returns its summary. */
  public synchronized RunSummary end(long nanos, boolean sample) {
    endPartitions();
    total.add(audit.faults(), audit.findings());
    RunSummary run = new RunSummary(files, fileBytes, errors, vanishedFiles, nanos, sample, total);
    report.summary(run);
    return run;
  }
}
