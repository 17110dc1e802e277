// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.source.StorageFaultException;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.spark.inventory.SegmentRef;
import io.github.batchvalidator.spark.inventory.TieredGroup;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the results of a segment. It never has bytes of records. */
public sealed interface Chunk extends Serializable {
  /** The partition that the next chunks belong to, if it is in a tiered storage. */
  record Group(TieredGroup partition) implements Chunk {}

  /**
   * The start of a segment.
   *
   * @param segment the segment
   * @param opened false if it could not be opened
   */
  record Start(SegmentRef segment, boolean opened) implements Chunk {}

  /**
   * The results of a slice, or of a part of it.
   *
   * @param fault the fault after the last batch, or null
   * @param last true if the slice is the last one of the segment
   * @param whole true at the end of the slice
   * @param segmentBytes the size of the segment so far, without a batch that was being written
   * @param hasOffsets true if there was a batch in the slice so far
   * @param firstOffset the first offset of the slice
   * @param lastOffset the last offset of the slice so far
   * @param faults the faults
   * @param batches the headers of the batches, encoded by {@link BatchCode}
   * @param tally the counts of the whole slice, or null before its end
   * @param failure why the slice could not be read to its end, or null
   * @param profiles the profiles of the records of the segment, at its end, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // chunks are not compared
  record Slice(
      @Nullable Fault fault,
      boolean last,
      boolean whole,
      long segmentBytes,
      boolean hasOffsets,
      long firstOffset,
      long lastOffset,
      List<Fault> faults,
      byte[] batches,
      @Nullable Tally tally,
      @Nullable Failure failure,
      @Nullable Profiles profiles)
      implements Chunk {
    static Slice of(SliceResult result, boolean whole, @Nullable Profiles profiles) {
      io.github.batchvalidator.audit.walk.Slice slice = result.slice();
      Throwable error = result.error();
      return new Slice(
          slice.fault(),
          slice.last(),
          whole,
          slice.segment().size(),
          result.hasOffsets(),
          result.hasOffsets() ? result.firstOffset() : 0,
          result.hasOffsets() ? result.lastOffset() : 0,
          new ArrayList<>(result.faults()),
          BatchCode.encode(result.batches()),
          whole ? result.tally() : null,
          error == null ? null : Failure.of(error),
          profiles);
    }

    /** Adds the results to those of the slice so far. */
    void addTo(SliceResult result) {
      if (hasOffsets) {
        result.offsets(firstOffset, lastOffset);
      }
      result.faults().addAll(faults);
      result.batches().addAll(BatchCode.decode(batches));
      if (tally != null) {
        result.tally().add(tally);
      }
      if (failure != null) {
        result.failed(failure.toException());
      }
    }
  }

  /**
   * Why a segment could not be read.
   *
   * @param message the message for people
   * @param fault the fault of another object that is the reason, or null
   * @param gone true if there is no such file anymore
   */
  record Failure(String message, @Nullable FileFault fault, boolean gone) implements Serializable {
    static Failure of(Throwable why) {
      FileFault fault = why instanceof StorageFaultException storage ? storage.found() : null;
      return new Failure(Messages.of(why), fault, why instanceof NoSuchFileException);
    }

    IOException toException() {
      FileFault found = fault;
      if (gone) {
        return new NoSuchFileException(null);
      }
      return found == null ? new IOException(message) : new StorageFaultException(found);
    }
  }
}
