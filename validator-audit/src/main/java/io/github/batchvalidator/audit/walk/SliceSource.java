// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A source of the slices of all segments, in order.
 *
 * <p>A segment is opened when its first slice is requested. The caller must release the segment of
 * each slice ({@link Segment#release}) after the check; that of the last slice when the segment is
 * reported.
 *
 * <p>Thread-safe.
 */
public final class SliceSource {
  private final Iterator<? extends Segment> segments;
  private final long sliceBytes;
  private @Nullable SegmentWalk walk;
  private long nextIndex;

  public SliceSource(Iterable<? extends Segment> segments, long sliceBytes) {
    this.segments = segments.iterator();
    this.sliceBytes = sliceBytes;
  }

  /**
   * Returns the result of the next slice for the caller to fill in, or null after the last slice.
   * The result has an error already if the segment could not be opened or walked.
   */
  public synchronized @Nullable SliceResult next() {
    SegmentWalk current = walk;
    if (current == null) {
      return segments.hasNext() ? start(segments.next()) : null;
    }
    return walk(current);
  }

  private SliceResult start(Segment segment) {
    try {
      segment.open();
    } catch (IOException | RuntimeException | Error e) {
      return failed(segment, e);
    }
    return walk(new SegmentWalk(segment, sliceBytes));
  }

  private SliceResult walk(SegmentWalk current) {
    walk = null;
    if (current.segment().isAbandoned(nextIndex)) {
      return new SliceResult(emptySlice(current.segment()));
    }
    try {
      Slice slice = current.next(nextIndex);
      nextIndex++;
      if (!slice.last()) { // the last slice replaces the walk as a user
        slice.segment().retain();
        walk = current;
      }
      return new SliceResult(slice);
    } catch (IOException | RuntimeException | Error e) {
      return failed(current.segment(), e);
    }
  }

  private SliceResult failed(Segment segment, Throwable why) {
    SliceResult result = new SliceResult(emptySlice(segment));
    result.failed(why);
    return result;
  }

  /** Returns an empty slice that ends a segment early. */
  private Slice emptySlice(Segment segment) {
    return new Slice(nextIndex++, segment, 0, 0, null, true);
  }
}
