// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.ranges;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceCheck;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.BatchSearch;
import io.github.batchvalidator.audit.walk.SegmentWalk;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.spark.inventory.SegmentOpener;
import io.github.batchvalidator.spark.inventory.SegmentRef;
import io.github.batchvalidator.spark.inventory.Work;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The chunks of all ranges of a task, computed slice by slice as they are taken.
 *
 * <p>A range starts at the first intact batch, unless it starts at the first byte. Whether a walk
 * from the start of the segment comes to that batch is not known here. {@link SegmentMerge} knows.
 *
 * <p>Confined to one thread.
 */
public final class RangeCheck implements Iterator<Tuple2<ChunkKey, Chunk>>, AutoCloseable {
  private final Settings settings;
  private final Iterator<Work> work;
  private final SegmentOpener opener;
  private final SliceCheck check;
  private final @Nullable RecordProfiler profiler;
  private final ArrayDeque<Tuple2<ChunkKey, Chunk>> ready = new ArrayDeque<>();
  private @Nullable Current current;
  private int number;

  /** A range that is being checked. */
  private record Current(
      Work.Range range, Segment segment, SegmentWalk walk, long end, long before) {}

  /**
   * Creates the checks of a task.
   *
   * @param rules the rules of the run
   * @param work the ranges
   * @param progress receives the number of bytes that were checked
   */
  public RangeCheck(Rules rules, Iterator<Work> work, LongAccumulator progress) {
    this.work = work;
    settings = rules.settings();
    opener = new SegmentOpener(rules.storage(), rules.keys());
    check = new SliceCheck(settings, bytes -> progress.add(bytes));
    profiler = rules.profile() ? new RecordProfiler() : null;
    check.profiler(profiler);
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty()) {
      Current open = current;
      if (open != null) {
        step(open);
      } else if (work.hasNext()) {
        start(work.next());
      } else {
        return false;
      }
    }
    return true;
  }

  @Override
  public Tuple2<ChunkKey, Chunk> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  private void start(Work next) {
    number = 0;
    if (next instanceof Work.Announce announce) {
      ChunkKey key = new ChunkKey(announce.group(), ChunkKey.GROUP, 0, 0);
      ready.add(new Tuple2<>(key, new Chunk.Group(announce.partition())));
    } else if (next instanceof Work.Range range) {
      start(range);
    }
  }

  private void start(Work.Range range) {
    SegmentRef ref = range.from() == 0 ? range.segment() : null;
    Segment segment = opener.segment(range.segment());
    try {
      segment.open();
      long end = end(range, segment);
      long start = start(range, segment, end);
      long searchable = Math.max(0, BatchSearch.mostSearched(end - range.from()));
      add(range, new Chunk.Start(ref, end, start, searchable, null));
      if (start == Chunk.Start.NONE) {
        segment.release();
        return;
      }
      long before = BatchSearch.mostSearched(segment.size()) - searchable;
      SegmentWalk.State state = new SegmentWalk.State(start, segment.baseOffset() - 1, before);
      SegmentWalk walk = new SegmentWalk(segment, settings.sliceBytes(), state);
      current = new Current(range, segment, walk, end, before);
    } catch (IOException | RuntimeException | Error e) {
      release(segment);
      Chunk.Failure failure = Chunk.Failure.of(e);
      add(range, new Chunk.Start(ref, range.to(), Chunk.Start.NONE, 0, failure));
    }
  }

  /** Returns the position after the last byte of a range. */
  private static long end(Work.Range range, Segment segment) throws IOException {
    boolean isLegacy = range.from() == 0 && range.to() < segment.size() && isLegacy(segment);
    return isLegacy ? segment.size() : Math.min(range.to(), segment.size());
  }

  /** Returns true if no search finds the batches of a segment, because its magic is 0 or 1. */
  private static boolean isLegacy(Segment segment) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(BatchLayout.PREFIX_BYTES);
    if (segment.size() < prefix.capacity()) {
      return false;
    }
    segment.read(prefix, 0);
    byte magic = BatchLayout.magicAt(prefix, 0);
    return magic >= 0 && magic < BatchLayout.MAGIC_V2;
  }

  private static long start(Work.Range range, Segment segment, long end) throws IOException {
    if (range.from() == 0) {
      return 0;
    }
    long found = new BatchSearch(segment).find(range.from(), end, segment.baseOffset() - 1);
    return found == BatchSearch.NOT_FOUND ? Chunk.Start.NONE : found;
  }

  private void add(Work.Range range, Chunk chunk) {
    ChunkKey key = new ChunkKey(range.group(), range.index(), range.from(), number);
    ready.add(new Tuple2<>(key, chunk));
    number++;
  }

  private void step(Current open) {
    SegmentWalk.State before = open.walk().state();
    SliceResult result;
    try {
      Slice slice = open.walk().next(0, open.end());
      if (!open.walk().isSearchComplete()) {
        end(open, before);
        return;
      }
      result = new SliceResult(slice);
    } catch (IOException | RuntimeException | Error e) {
      result = SegmentMerge.failed(open.segment(), 0, e);
    }
    try {
      check.checkOrFail(result, flushed -> flush(open.range(), flushed));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    add(open.range(), Chunk.Slice.of(result, true));
    boolean isLast = result.slice().last() || result.error() != null;
    if (isLast || open.walk().state().at() >= open.end()) {
      end(open, open.walk().state());
    }
  }

  private void flush(Work.Range range, SliceResult result) {
    add(range, Chunk.Slice.of(result, false));
    result.faults().clear();
    result.batches().clear();
  }

  private void end(Current open, SegmentWalk.State state) {
    long searched = state.searched() - open.before();
    RecordProfiler records = profiler;
    add(
        open.range(),
        new Chunk.End(
            new SegmentWalk.State(state.at(), state.previousOffset(), searched),
            records == null ? null : records.take()));
    release(open.segment());
    current = null;
  }

  private static void release(Segment segment) {
    try {
      segment.release();
    } catch (IOException e) {
      // All bytes are read, or the failure to read them is known.
    }
  }

  @Override
  public void close() {
    check.close();
    RecordProfiler records = profiler;
    if (records != null) {
      records.close();
    }
    Current open = current;
    if (open != null) {
      release(open.segment());
    }
  }
}
