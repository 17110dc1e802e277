// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.spark.inventory.SegmentOpener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A merge of the results of segments, in the order of the report.
 *
 * <p>Segments are opened again, because the checks of a partition read the files beside them.
 *
 * <p>Confined to one thread.
 */
final class SegmentMerge {
  private final SliceMerge merge;
  private final SegmentOpener opener;
  private final Profiles profiles = new Profiles();
  private long next;

  /** The segment whose slices follow, or null if it ended. */
  private @Nullable Segment segment;

  /** The slice that is not complete yet. */
  private @Nullable SliceResult result;

  SegmentMerge(Rules rules, SliceMerge merge) {
    this.merge = merge;
    opener = new SegmentOpener(rules.storage(), rules.keys());
  }

  /** Takes the next chunk. */
  void add(Chunk chunk) throws InterruptedException {
    if (chunk instanceof Chunk.Group group) {
      opener.start(group.partition());
    } else if (chunk instanceof Chunk.Start start) {
      start(start);
    } else if (chunk instanceof Chunk.Slice slice && segment != null) {
      slice(segment, slice);
    }
  }

  private void start(Chunk.Start start) throws InterruptedException {
    Segment opened = opener.segment(start.segment());
    segment = opened;
    if (!start.opened()) { // its only slice says why
      findFaults(opened);
      return;
    }
    try {
      opened.open();
    } catch (IOException | RuntimeException | Error e) {
      SliceResult failed = new SliceResult(new Slice(next, opened, 0, 0, null, true));
      failed.failed(e);
      take(failed);
    }
  }

  /** Finds the faults that a tiered segment has before it fails to open. */
  private static void findFaults(Segment unopened) {
    if (unopened.upload() != null) {
      try {
        unopened.openBytes();
      } catch (IOException | RuntimeException | Error e) {
        // The task failed, too.
      }
    }
  }

  private void slice(Segment of, Chunk.Slice slice) throws InterruptedException {
    if (slice.last() && of.isOpened()) {
      of.cutTo(slice.segmentBytes()); // the task saw that a broker was writing the last batch
    }
    SliceResult current = result;
    if (current == null) {
      current = new SliceResult(new Slice(next, of, 0, 0, slice.fault(), slice.last()));
    }
    slice.addTo(current);
    Profiles found = slice.profiles();
    if (found != null) {
      profiles.add(found);
    }
    if (slice.whole()) {
      result = null;
      take(current);
    } else {
      result = current;
      merge.flush(current);
    }
  }

  /** Merges the result of a slice. The last slice of a segment ends it. */
  private void take(SliceResult finished) throws InterruptedException {
    merge.add(finished);
    next++;
    if (finished.slice().last()) {
      segment = null;
    }
  }

  /** Returns the profiles of all segments. */
  Profiles profiles() {
    return profiles;
  }
}
