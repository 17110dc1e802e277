// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.audit.report.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of the inspection of a slice. Owned by the inspecting thread until it is passed to
 * {@link SliceMerge}.
 */
public final class SliceResult {
  /** The number of faults at which an unfinished slice passes them to {@link SliceMerge}. */
  public static final int MAX_FAULTS = 1000;

  /**
   * The number of batches and records at which an unfinished slice passes them to {@link
   * SliceMerge}.
   */
  public static final int MAX_ENTRIES = 4096;

  private final Slice slice;
  private final Tally tally = new Tally();
  private final List<Fault> faults = new ArrayList<>();
  private final List<StoredBatch> batches = new ArrayList<>();
  private final List<StoredRecord> records = new ArrayList<>();
  private boolean hasOffsets;
  private long runFrom;

  /** The size of the run of batches that is not an entry yet, or 0 without one. */
  private int runBytes;

  private long runFirst;
  private long runLast;
  private long firstOffset;
  private long lastOffset;
  private @Nullable Throwable error;

  public SliceResult(Slice slice) {
    this.slice = slice;
  }

  public Slice slice() {
    return slice;
  }

  public Tally tally() {
    return tally;
  }

  /** Returns the faults that were not passed on yet, in file order. */
  public List<Fault> faults() {
    return faults;
  }

  public void fault(Fault fault) {
    faults.add(fault);
    tally.fault(fault);
  }

  /** Returns the batches that were not passed on yet, in file order. */
  public List<StoredBatch> batches() {
    return batches;
  }

  /** Adds the next batch. */
  public void batch(StoredBatch batch) {
    endRun();
    batches.add(batch);
  }

  /**
   * Adds the next batch of a segment whose batches are compared by their offsets only. Batches
   * without a gap between them become one entry, so that nothing is allocated per batch.
   */
  public void offsetsOf(long position, int bytes, long first, long last) {
    if (runBytes > 0 && position == runFrom + runBytes && first == runLast + 1) {
      runBytes += bytes;
      runLast = last;
      return;
    }
    endRun();
    runFrom = position;
    runBytes = bytes;
    runFirst = first;
    runLast = last;
  }

  /** Ends a run of batches that became one entry. */
  public void endRun() {
    if (runBytes > 0) {
      batches.add(StoredBatch.ofOffsets(runFrom, runBytes, runFirst, runLast));
      runBytes = 0;
    }
  }

  /** Returns the listed records that were not passed on yet, in file order. */
  public List<StoredRecord> records() {
    return records;
  }

  /** Returns the number of batches and records that were not passed on yet. */
  public int entries() {
    return batches.size() + records.size();
  }

  public boolean isFull() {
    return faults.size() >= MAX_FAULTS || entries() >= MAX_ENTRIES;
  }

  public boolean hasOffsets() {
    return hasOffsets;
  }

  /** Records the offset range of the next batch. */
  public void offsets(long first, long last) {
    if (!hasOffsets) {
      firstOffset = first;
      hasOffsets = true;
    }
    lastOffset = last;
  }

  public long firstOffset() {
    return firstOffset;
  }

  public long lastOffset() {
    return lastOffset;
  }

  /** Records why the slice could not be read to its end. */
  public void failed(Throwable why) {
    error = why;
  }

  /** Returns why the slice could not be read to its end, or null. */
  public @Nullable Throwable error() {
    return error;
  }
}
