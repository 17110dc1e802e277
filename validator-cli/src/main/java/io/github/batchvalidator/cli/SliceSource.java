// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the slices of all segments in their order. A segment is opened when its first slice is
 * asked for. The caller releases the segment of each slice ({@link Segment#release}) after the
 * check. Safe for use by several threads.
 */
final class SliceSource {
  private final Iterator<Segment> segments;
  private final long sliceBytes;
  private @Nullable SegmentWalk walk;
  private long nextIndex;

  SliceSource(List<Segment> segments, long sliceBytes) {
    this.segments = segments.iterator();
    this.sliceBytes = sliceBytes;
  }

  /**
   * Returns the result of the next slice, to be filled; it has an error already if the segment
   * could not be opened or walked. Null behind the last slice.
   */
  synchronized @Nullable SliceResult next() {
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
      return new SliceResult(nothing(current.segment()));
    }
    try {
      Slice slice = current.next(nextIndex);
      nextIndex++;
      if (!slice.last()) { // the last slice takes over the use of the walk
        slice.segment().retain();
        walk = current;
      }
      return new SliceResult(slice);
    } catch (IOException | RuntimeException | Error e) {
      return failed(current.segment(), e);
    }
  }

  private SliceResult failed(Segment segment, Throwable why) {
    SliceResult result = new SliceResult(nothing(segment));
    result.failed(why);
    return result;
  }

  /** Ends a segment early. */
  private Slice nothing(Segment segment) {
    return new Slice(nextIndex++, segment, 0, 0, null, true);
  }
}
