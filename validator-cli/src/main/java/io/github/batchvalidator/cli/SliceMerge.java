// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.HashMap;
import java.util.Map;

/**
 * Puts the results of slices together in file order and tells the report. Memory stays bounded: a
 * thread that is too far ahead, or has too many faults, waits for its turn. The slices are handed
 * out in order, so that the thread with the first unfinished one never waits.
 *
 * <p>Safe for use by several threads.
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

  private Tally ofFile = new Tally();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private boolean complete = true;
  private boolean atBorder = true;

  SliceMerge(Report report) {
    this.report = report;
  }

  /** Takes a finished slice. */
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

  /** Tells the faults that an unfinished slice has so far. */
  synchronized void flush(SliceResult result) throws InterruptedException {
    await(result.slice().index());
    if (complete) {
      tellFaults(result);
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

  /** Wakes the threads that wait for one that failed. */
  synchronized void abort() {
    aborted = true;
    notifyAll();
  }

  private void finish(SliceResult result) {
    Slice slice = result.slice();
    if (complete) { // how much was read behind an error is left to chance
      tellSlice(result);
    }
    if (slice.last()) {
      endFile(slice.segment());
    }
  }

  private void tellSlice(SliceResult result) {
    Slice slice = result.slice();
    tellFaults(result);
    ofFile.add(result.tally());
    if (result.hasOffsets()) {
      lastOffset = result.lastOffset();
    }
    atBorder = true;
    Fault fault = slice.fault();
    Throwable error = result.error();
    if (error != null) {
      complete = false;
      error(slice.segment().name(), Messages.of(error));
    } else if (fault != null) {
      tell(slice.segment(), fault);
    }
  }

  private void tellFaults(SliceResult result) {
    if (atBorder && result.hasOffsets()) {
      checkBorder(result);
      atBorder = false;
    }
    String name = result.slice().segment().name();
    for (Fault fault : result.faults()) {
      report.fault(name, fault);
    }
  }

  /** Compares the first batch of a slice with what lies before it. */
  private void checkBorder(SliceResult result) {
    Segment segment = result.slice().segment();
    long position = result.slice().from();
    long offset = result.firstOffset();
    if (!hasOffsets) {
      firstOffset = offset;
      hasOffsets = true;
      if (offset < segment.baseOffset()) {
        SegmentReason reason = SegmentReason.SEGMENT_OFFSET_BELOW_BASE;
        tell(segment, Fault.of(reason, position, offset, offset, segment.baseOffset()));
      }
    } else if (offset <= lastOffset) {
      tell(segment, SliceCheck.outOfOrder(position, offset, lastOffset));
    }
  }

  private void tell(Segment segment, Fault fault) {
    ofFile.fault(fault);
    report.fault(segment.name(), fault);
  }

  private void endFile(Segment segment) {
    if (segment.isOpened()) {
      files++;
      fileBytes += segment.size();
      total.add(ofFile);
      report.file(
          new FileSummary(
              segment.name(), segment.size(), firstOffset, lastOffset, complete, ofFile));
    }
    ofFile = new Tally();
    hasOffsets = false;
    complete = true;
  }

  /** Tells what could not be read. */
  synchronized void error(String name, String message) {
    errors++;
    report.error(name, message);
  }

  /** Ends the run; returns what was told. */
  synchronized RunSummary end(long nanos, boolean sample) {
    RunSummary run = new RunSummary(files, fileBytes, errors, nanos, sample, total);
    report.summary(run);
    return run;
  }
}
