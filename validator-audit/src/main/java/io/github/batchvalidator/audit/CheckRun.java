// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.audit.walk.SliceSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A check of segments with several threads. */
public final class CheckRun {
  private final Settings settings;
  private final SliceSource source;
  private final SliceMerge merge;
  private final LongConsumer progress;
  private @Nullable RecordProfiler profiler;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Creates a run.
   *
   * @param segments the segments to check, none of them open; taken one by one
   * @param merge receives the results
   * @param progress receives the number of bytes done, from any thread
   */
  public CheckRun(
      Settings settings,
      Iterable<? extends Segment> segments,
      SliceMerge merge,
      LongConsumer progress) {
    this.settings = settings;
    this.source = new SliceSource(segments, settings.sliceBytes());
    this.merge = merge;
    this.progress = progress;
  }

  /** Sets the profiler that receives accepted batches. Call it before {@link #run}. */
  public CheckRun profiled(@Nullable RecordProfiler next) {
    profiler = next;
    return this;
  }

  /**
   * Returns when all segments are checked, or when nobody receives the report. Throws if a thread
   * failed unexpectedly.
   */
  public void run() throws InterruptedException {
    for (Thread thread : start()) {
      thread.join();
    }
    rethrow();
  }

  /** Checks all segments in the thread of the caller. Fails as {@link #run} does. */
  public void runHere() {
    work();
    rethrow();
  }

  private void rethrow() {
    Throwable why = failure.get();
    if (why != null) {
      throw new IllegalStateException("a thread failed: " + Messages.of(why), why);
    }
  }

  /** Starts the threads, or as many as the system allows. Fails the run if none starts. */
  private List<Thread> start() {
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < settings.threads(); i++) {
        Thread thread = new Thread(this::work, "check-" + i);
        thread.start();
        threads.add(thread);
      }
    } catch (OutOfMemoryError e) { // the system has no more threads
      if (threads.isEmpty()) {
        failed(e);
      }
    }
    return threads;
  }

  private void work() {
    try (SliceCheck check = new SliceCheck(settings, progress)) {
      check.profiler(profiler);
      check.listing(merge.listing());
      check.planning(merge.isPlanning());
      SliceResult result = source.next();
      while (result != null && failure.get() == null && !merge.isStopped()) {
        check.checkOrFail(result, merge);
        if (!result.slice().last()) {
          merge.release(result.slice().segment());
        }
        merge.add(result);
        result = source.next();
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failed(e);
    }
  }

  private void failed(Throwable why) {
    failure.compareAndSet(null, why);
    merge.abort();
  }
}
