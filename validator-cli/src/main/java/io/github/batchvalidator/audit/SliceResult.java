// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.salvage.SoundRanges;
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
  private @Nullable SoundRanges sound;
  private boolean hasOffsets;
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

  /** Returns the listed records that were not passed on yet, in file order. */
  public List<StoredRecord> records() {
    return records;
  }

  /** Returns the number of batches and records that were not passed on yet. */
  int entries() {
    return batches.size() + records.size();
  }

  public boolean isFull() {
    return faults.size() >= MAX_FAULTS || entries() >= MAX_ENTRIES;
  }

  /** Starts to collect sound batches. */
  void collectSound() {
    sound = new SoundRanges();
  }

  /** Returns the collector of sound batches, or null if they are not collected. */
  @Nullable SoundRanges sound() {
    return sound;
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
