// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceCheck;
import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.audit.walk.SliceSource;
import io.github.batchvalidator.spark.inventory.SegmentOpener;
import io.github.batchvalidator.spark.inventory.Work;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The chunks of all segments of a task, computed slice by slice as they are taken.
 *
 * <p>Confined to one thread.
 */
public final class SegmentCheck implements Iterator<Tuple2<ChunkKey, Chunk>>, AutoCloseable {
  private final Settings settings;
  private final Iterator<Work> work;
  private final SegmentOpener opener;
  private final SliceCheck check;
  private final @Nullable RecordProfiler profiler;
  private final ArrayDeque<Tuple2<ChunkKey, Chunk>> ready = new ArrayDeque<>();
  private @Nullable Current current;
  private int number;

  /** A segment that is being checked. */
  private record Current(Work.Check work, Segment segment, SliceSource slices) {}

  /**
   * Creates the checks of a task.
   *
   * @param rules the rules of the run
   * @param work the segments
   * @param progress receives the number of bytes that were checked
   */
  public SegmentCheck(Rules rules, Iterator<Work> work, LongAccumulator progress) {
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
      ChunkKey key = new ChunkKey(announce.group(), ChunkKey.GROUP, 0);
      ready.add(new Tuple2<>(key, new Chunk.Group(announce.partition())));
    } else if (next instanceof Work.Check segment) {
      Segment opened = opener.segment(segment.segment());
      SliceSource slices = new SliceSource(List.of(opened), settings.sliceBytes());
      current = new Current(segment, opened, slices);
    }
  }

  private void step(Current open) {
    SliceResult result = open.slices().next();
    if (number == 0) {
      add(open, new Chunk.Start(open.work().segment(), open.segment().isOpened()));
    }
    if (result == null) {
      current = null;
      return;
    }
    try {
      check.checkOrFail(result, flushed -> flush(open, flushed));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    release(open.segment());
    RecordProfiler records = profiler;
    Profiles profiles = records != null && result.slice().last() ? records.take() : null;
    add(open, Chunk.Slice.of(result, true, profiles));
  }

  private void flush(Current open, SliceResult result) {
    add(open, Chunk.Slice.of(result, false, null));
    result.faults().clear();
    result.batches().clear();
  }

  private void add(Current open, Chunk chunk) {
    ChunkKey key = new ChunkKey(open.work().group(), open.work().index(), number);
    ready.add(new Tuple2<>(key, chunk));
    number++;
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
