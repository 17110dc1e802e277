// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.ranges;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceCheck;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.BatchSearch;
import io.github.batchvalidator.audit.walk.SegmentWalk;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.spark.inventory.SegmentOpener;
import io.github.batchvalidator.spark.inventory.SegmentRef;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A merge of the results of ranges into those of their segments, in the order of the report.
 *
 * <p>The result of a range counts only if a walk from the start of the segment comes to the batch
 * that the range started at. Both walks are the same from there on. Otherwise the bytes before that
 * batch are checked here, and the whole range is if no walk comes to that batch. The search for
 * intact batches has a cost limit per segment, which ranges share by their sizes.
 *
 * <p>Confined to one thread.
 */
final class SegmentMerge implements AutoCloseable {
  private final SliceMerge merge;
  private final Settings settings;
  private final SegmentOpener opener;
  private final SliceCheck check;
  private final @Nullable RecordProfiler profiler;
  private final Profiles profiles = new Profiles();
  private long next;

  // The segment.
  private @Nullable Segment segment;
  private SegmentWalk.State state = new SegmentWalk.State(0, 0, 0);
  private boolean ended;

  // The range, and the slice that is not complete yet.
  private boolean accepted;
  private @Nullable SliceResult result;

  SegmentMerge(Rules rules, SliceMerge merge) {
    this.merge = merge;
    settings = rules.settings();
    opener = new SegmentOpener(rules.storage(), rules.keys());
    check = new SliceCheck(settings, bytes -> {});
    profiler = rules.profile() ? new RecordProfiler() : null;
    check.profiler(profiler);
  }

  /** Returns a result that ends a segment, because it could not be read. */
  static SliceResult failed(Segment segment, long index, Throwable why) {
    SliceResult failed = new SliceResult(new Slice(index, segment, 0, 0, null, true));
    failed.failed(why);
    return failed;
  }

  /** Takes the next chunk. */
  void add(Chunk chunk) throws InterruptedException {
    if (chunk instanceof Chunk.Group group) {
      endSegment();
      opener.start(group.partition());
    } else if (chunk instanceof Chunk.Start start) {
      start(start);
    } else if (chunk instanceof Chunk.Slice slice && accepted && !ended) {
      slice(slice);
    } else if (chunk instanceof Chunk.End end && accepted) {
      end(end);
    }
  }

  private void start(Chunk.Start start) throws InterruptedException {
    SegmentRef ref = start.segment();
    if (ref == null) {
      accepted = meets(start);
      return;
    }
    endSegment();
    Segment opened = opener.segment(ref);
    segment = opened;
    state = SegmentWalk.State.start(opened);
    ended = false;
    accepted = true;
    try {
      Chunk.Failure failure = start.failure();
      if (failure != null) {
        throw failure.toException();
      }
      opened.open();
    } catch (IOException | RuntimeException | Error e) {
      take(failed(opened, next, e));
    }
  }

  /** Walks to the first batch of a range, and returns true if the walk comes to it. */
  private boolean meets(Chunk.Start start) throws InterruptedException {
    Segment open = segment;
    if (open == null || ended || state.at() >= start.to()) {
      return false;
    }
    if (start.start() != Chunk.Start.NONE) {
      walk(open, start.start());
      long most = BatchSearch.mostSearched(open.size());
      if (state.at() == start.start() && state.searched() + start.searchable() <= most) {
        return !ended;
      }
    }
    walk(open, start.to());
    return false;
  }

  /** Checks the segment up to a position. */
  private void walk(Segment open, long end) throws InterruptedException {
    SegmentWalk walk = new SegmentWalk(open, settings.sliceBytes(), state);
    while (!ended && state.at() < end) {
      SliceResult checked;
      try {
        checked = new SliceResult(walk.next(next, end));
      } catch (IOException | RuntimeException | Error e) {
        checked = failed(open, next, e);
      }
      check.checkOrFail(checked, merge);
      state = walk.state();
      take(checked);
    }
    RecordProfiler records = profiler;
    if (records != null) {
      profiles.add(records.take());
    }
  }

  private void slice(Chunk.Slice slice) throws InterruptedException {
    Segment open = segment;
    if (open == null) {
      throw new IllegalStateException("a slice without a segment");
    }
    SliceResult current = result;
    if (current == null) {
      current =
          new SliceResult(
              new Slice(next, open, slice.from(), slice.to(), slice.fault(), slice.last()));
    }
    if (slice.last() && slice.fault() == null && slice.failure() == null) {
      open.cutTo(slice.to()); // the task saw that a broker was writing the last batch
    }
    slice.addTo(current);
    result = slice.whole() ? null : current;
    if (slice.whole()) {
      take(current);
    } else {
      merge.flush(current);
    }
  }

  /** Merges the result of a slice. The segment ends with its last slice, or with an error. */
  private void take(SliceResult finished) throws InterruptedException {
    merge.add(finished);
    next++;
    ended = finished.slice().last();
    if (finished.error() != null && !ended) {
      merge.add(new SliceResult(new Slice(next, finished.slice().segment(), 0, 0, null, true)));
      next++;
      ended = true;
    }
  }

  private void end(Chunk.End end) {
    SegmentWalk.State reached = end.state();
    state =
        new SegmentWalk.State(
            reached.at(), reached.previousOffset(), state.searched() + reached.searched());
    Profiles found = end.profiles();
    if (found != null) {
      profiles.add(found);
    }
  }

  private void endSegment() throws InterruptedException {
    Segment open = segment;
    segment = null;
    if (open == null) {
      return;
    }
    walk(open, open.size());
    try {
      open.release();
    } catch (IOException e) {
      // All bytes are read, or the failure to read them is known.
    }
  }

  /** Ends the last segment, and returns the profiles of all segments. */
  Profiles end() throws InterruptedException {
    endSegment();
    return profiles;
  }

  @Override
  public void close() {
    check.close();
    RecordProfiler records = profiler;
    if (records != null) {
      records.close();
    }
  }
}
