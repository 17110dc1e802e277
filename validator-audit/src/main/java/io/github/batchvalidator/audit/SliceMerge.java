// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.salvage.PartitionPlan;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SliceResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A merge of slice results into one report in file order.
 *
 * <p>Threads take turns here. {@code FileReports} receives each result in its turn.
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
  private final FileReports files;
  private final Map<Long, SliceResult> waiting = new HashMap<>();
  private long waitingEntries;
  private int waitingFiles;
  private long turn;
  private boolean aborted;
  private volatile boolean stopped;

  /**
   * Creates a merge.
   *
   * @param report receives the results
   * @param compacted true if all partitions are known to be compacted
   */
  public SliceMerge(Report report, boolean compacted) {
    this.report = report;
    files = new FileReports(report, compacted);
  }

  /** Says that all partitions are known to be compacted. Call it before the run. */
  public synchronized void compacted() {
    files.compacted();
  }

  /** Sets what to list beside faults. Call it before the run. */
  public SliceMerge listing(Listing next) {
    files.listing(next);
    return this;
  }

  /** Returns what to list beside faults. */
  Listing listing() {
    return files.listing();
  }

  /** Starts to plan the salvage of damaged segments. Call it before the run. */
  public SliceMerge salvaging() {
    files.salvaging();
    return this;
  }

  /** Passes the batches on to the plan of a copy. Call it before the run. */
  public SliceMerge planning(BatchPlan next) {
    files.planning(next);
    return this;
  }

  /** Returns true if batches will be copied. */
  boolean isPlanning() {
    return files.isPlanning();
  }

  /** Returns the plans for all partitions with damaged segments. Call it after the run. */
  public synchronized List<PartitionPlan> plans() {
    return files.plans();
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
    if (files.isComplete() && !stopped) {
      files.reportFaults(result);
      stopIfClosed(result);
    }
    result.faults().clear();
    result.batches().clear();
    result.records().clear();
  }

  /**
   * Stops the run if nobody receives the report. The faults so far count. A copy needs all
   * segments, so a run that plans one goes on.
   */
  private void stopIfClosed(SliceResult last) {
    if (!stopped && !isPlanning() && report.isClosed()) {
      stopped = true;
      if (last.slice().index() == turn) { // not finished
        files.count(last);
      }
      waiting.values().forEach(this::released);
      files.stop();
      notifyAll();
    }
  }

  /** Returns true if the run should end because nobody receives the report. */
  public boolean isStopped() {
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
    files.add(result);
    if (result.slice().last()) {
      Segment segment = result.slice().segment();
      files.endSegment(segment);
      release(segment);
      segment.end();
      files.endFile(segment);
    }
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
    files.error(name, message);
  }

  /** Returns true if the current partition is known to be compacted, so far. */
  public synchronized boolean isCompacted() {
    return files.isCompacted();
  }

  /** Returns true if there are faults of the current partition that only its end decides. */
  public synchronized boolean isKeepingFaults() {
    return files.isKeepingFaults();
  }

  /** Ends the last partition. Call it after the run if the faults of partitions are needed. */
  public synchronized void endPartitions() {
    if (!stopped) {
      files.endPartitions();
    }
  }

  /** Ends the run, and reports and returns its summary. */
  public synchronized RunSummary end(long nanos, boolean sample) {
    endPartitions();
    return files.end(nanos, sample);
  }
}
