// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

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
final class SliceMerge {
  private static final int MAX_AHEAD = 256;

  private final Report report;
  private final Map<Long, SliceResult> waiting = new HashMap<>();
  private final Tally total = new Tally();
  private long turn;
  private boolean aborted;
  private long files;
  private long fileBytes;
  private long errors;

  private Tally fileTally = new Tally();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private boolean complete = true;
  private boolean atSliceStart = true;

  SliceMerge(Report report) {
    this.report = report;
  }

  /** Adds the result of a finished slice. Waits if the slice is too far ahead. */
  synchronized void add(SliceResult result) throws InterruptedException {
    await(result.slice().index() - MAX_AHEAD);
    waiting.put(result.slice().index(), result);
    while (true) {
      SliceResult next = waiting.remove(turn);
      if (next == null) {
        break;
      }
      finish(next);
      turn++;
    }
    notifyAll();
  }

  /** Reports the faults of an unfinished slice so far. Waits for the turn of the slice. */
  synchronized void flush(SliceResult result) throws InterruptedException {
    await(result.slice().index());
    if (complete) {
      reportFaults(result);
    }
    result.faults().clear();
  }

  private void await(long index) throws InterruptedException {
    while (index > turn) {
      if (aborted) {
        throw new InterruptedException("another thread failed");
      }
      wait();
    }
  }

  /** Makes waiting threads throw {@link InterruptedException}, because another thread failed. */
  synchronized void abort() {
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

  private void reportFault(Segment segment, Fault fault) {
    fileTally.fault(fault);
    report.fault(segment.name(), fault);
  }

  private void endFile(Segment segment) {
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
  synchronized void error(String name, String message) {
    errors++;
    report.error(name, message);
  }

  /** Ends the run, and reports and returns its summary. */
  synchronized RunSummary end(long nanos, boolean sample) {
    RunSummary run = new RunSummary(files, fileBytes, errors, nanos, sample, total);
    report.summary(run);
    return run;
  }
}
