// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.source.Segment;
import java.util.HashMap;
import java.util.Map;

/**
 * A merge of slice results into one report in file order.
 *
 * <p>Memory is bounded: a thread that is more than {@value #MAX_AHEAD} slices ahead, or has too
 * many faults, waits for its turn. Slices are handed out in order, so the thread with the first
 * unfinished slice never waits.
 *
 * <p>Thread-safe.
 */
public final class SliceMerge {
  private static final int MAX_AHEAD = 256;

  /** The number of batches in memory from which on threads wait for their turn. */
  private static final long MAX_BATCHES = 1 << 16;

  private final Report report;
  private final AuditFeed audit;
  private final Map<Long, SliceResult> waiting = new HashMap<>();
  private long waitingBatches;
  private final Tally total = new Tally();
  private long turn;
  private boolean aborted;
  private boolean stopped;
  private long files;
  private long fileBytes;
  private long errors;

  private Tally fileTally = new Tally();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private boolean complete = true;
  private boolean atSliceStart = true;

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

  /** Adds the result of a finished slice. Waits if the slice is too far ahead. */
  public synchronized void add(SliceResult result) throws InterruptedException {
    long index = result.slice().index();
    while (index > turn && !stopped && (index - turn > MAX_AHEAD || waitingBatches > MAX_BATCHES)) {
      checkNotAborted();
      wait();
    }
    if (stopped) {
      return;
    }
    waiting.put(index, result);
    waitingBatches += result.batches().size();
    while (!stopped) {
      SliceResult next = waiting.remove(turn);
      if (next == null) {
        break;
      }
      waitingBatches -= next.batches().size();
      finish(next);
      turn++;
      stopIfClosed(next);
    }
    notifyAll();
  }

  /** Reports the faults of an unfinished slice so far. Waits for the turn of the slice. */
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
  }

  /** Stops the run if nobody receives the report. What was found so far still counts. */
  private void stopIfClosed(SliceResult last) {
    if (!stopped && report.isClosed()) {
      stopped = true;
      total.add(fileTally);
      if (last.slice().index() == turn) { // not finished
        total.add(last.tally());
      }
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
    reportFaults(result);
    fileTally.add(result.tally());
    if (result.hasOffsets()) {
      lastOffset = result.lastOffset();
    }
    atSliceStart = true;
    Fault fault = slice.fault();
    Throwable error = result.error();
    if (error != null || fault != null) {
      interrupted(slice.segment());
    }
    if (error != null) {
      complete = false;
      error(slice.segment().name(), Messages.of(error));
    } else if (fault != null) {
      reportFault(slice.segment(), fault);
    }
  }

  private void reportFaults(SliceResult result) {
    if (atSliceStart && result.hasOffsets()) {
      checkSliceStart(result);
      atSliceStart = false;
    }
    String name = result.slice().segment().name();
    for (Fault fault : result.faults()) {
      report.fault(name, fault);
    }
    Segment segment = result.slice().segment();
    if (segment.isAudited()) {
      audit.batches(segment, result.batches());
    }
  }

  /** Compares the first offset of a slice with the offset before it, or with the base offset. */
  private void checkSliceStart(SliceResult result) {
    Segment segment = result.slice().segment();
    long position = result.slice().from();
    long offset = result.firstOffset();
    if (!hasOffsets) {
      firstOffset = offset;
      hasOffsets = true;
      if (offset < segment.baseOffset()) {
        SegmentReason reason = SegmentReason.SEGMENT_OFFSET_BELOW_BASE;
        reportFault(segment, Fault.of(reason, position, offset, offset, segment.baseOffset()));
      }
    } else if (offset <= lastOffset) {
      reportFault(segment, SliceCheck.outOfOrder(position, offset, lastOffset));
    }
  }

  private void interrupted(Segment segment) {
    if (segment.isAudited()) {
      audit.interrupted(segment);
    }
  }

  private void reportFault(Segment segment, Fault fault) {
    fileTally.fault(fault);
    report.fault(segment.name(), fault);
  }

  private void endFile(Segment segment) {
    if (segment.isAudited()) {
      audit.endSegment(segment, fileTally.faults());
    }
    if (segment.isOpened()) {
      files++;
      fileBytes += segment.size();
      total.add(fileTally);
      report.file(
          new FileSummary(
              segment.name(), segment.size(), firstOffset, lastOffset, complete, fileTally));
    }
    fileTally = new Tally();
    hasOffsets = false;
    complete = true;
  }

  /** Reports a file or directory that could not be read. */
  public synchronized void error(String name, String message) {
    errors++;
    report.error(name, message);
  }

  /** Ends the run, and reports and returns its summary. */
  public synchronized RunSummary end(long nanos, boolean sample) {
    if (!stopped) {
      audit.end();
    }
    total.faults(audit.faults());
    RunSummary run = new RunSummary(files, fileBytes, errors, nanos, sample, total);
    report.summary(run);
    return run;
  }
}
