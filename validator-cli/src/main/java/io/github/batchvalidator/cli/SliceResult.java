// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of the inspection of a slice. Owned by the inspecting thread until it is passed to
 * {@link SliceMerge}.
 */
final class SliceResult {
  /** The number of faults at which an unfinished slice passes them to {@link SliceMerge}. */
  static final int MAX_FAULTS = 1000;

  private final Slice slice;
  private final Tally tally = new Tally();
  private final List<Fault> faults = new ArrayList<>();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private @Nullable Throwable error;

  SliceResult(Slice slice) {
    this.slice = slice;
  }

  Slice slice() {
    return slice;
  }

  Tally tally() {
    return tally;
  }

  /** Returns the faults that were not passed on yet, in file order. */
  List<Fault> faults() {
    return faults;
  }

  void fault(Fault fault) {
    faults.add(fault);
    tally.fault(fault);
  }

  boolean isFull() {
    return faults.size() >= MAX_FAULTS;
  }

  boolean hasOffsets() {
    return hasOffsets;
  }

  /** Records the offset range of the next batch. */
  void offsets(long first, long last) {
    if (!hasOffsets) {
      firstOffset = first;
      hasOffsets = true;
    }
    lastOffset = last;
  }

  long firstOffset() {
    return firstOffset;
  }

  long lastOffset() {
    return lastOffset;
  }

  /** Records why the slice could not be read to its end. */
  void failed(Throwable why) {
    error = why;
  }

  @Nullable Throwable error() {
    return error;
  }
}
