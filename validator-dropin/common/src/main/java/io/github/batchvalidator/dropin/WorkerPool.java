// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.codec.GzipInflater;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a bounded number of workers, whatever the number of threads
 * (docs/decisions/006-pool-of-workers.md).
 *
 * <p>A worker lives in a slot, which is taken and free again. A thread tries its home slot first,
 * so that a broker's request threads find a warm worker again, mostly without contention; then the
 * other homes. There is one per processor, whose cache has room for one worker; the slots beyond
 * them are for threads that meet others which hold a worker while they wait for a processor. Who
 * finds all taken gets a worker for once. Lock-free; safe for all threads, virtual ones too.
 */
final class WorkerPool {
  /** Twice the request threads of a broker that is not told otherwise, whatever its processors. */
  private static final int LEAST_SLOTS = 16;

  /** Marks lie in cache lines of their own. */
  private static final int STRIDE = 16;

  private static final int FREE = 0;
  private static final int TAKEN = 1;

  private final int recordErrors;
  private final GzipInflater gzip;
  private final int homes;
  private final int size;

  /**
   * Marks, and not the workers themselves, are exchanged: numbers need no barrier of the collector,
   * and to free a slot takes no exchange at all.
   */
  private final AtomicIntegerArray marks;

  /** Each read and written only by who has taken its slot. */
  private final @Nullable Worker[] workers;

  /**
   * Creates an empty pool.
   *
   * @param recordErrors how many failing records a worker remembers
   * @param gzip what inflates gzip
   */
  WorkerPool(int recordErrors, GzipInflater gzip) {
    this(recordErrors, gzip, Runtime.getRuntime().availableProcessors());
  }

  private WorkerPool(int recordErrors, GzipInflater gzip, int homes) {
    this(recordErrors, gzip, homes, Math.max(homes, LEAST_SLOTS));
  }

  WorkerPool(int recordErrors, GzipInflater gzip, int homes, int size) {
    this.recordErrors = recordErrors;
    this.gzip = gzip;
    this.homes = homes;
    this.size = size;
    marks = new AtomicIntegerArray(size * STRIDE);
    workers = new @Nullable Worker[size];
  }

  /** {@return a worker for this thread until it is released} */
  Worker acquire() {
    int home = home();
    for (int i = 0; i < size; i++) {
      int slot = i < homes ? (home + i) % homes : i;
      int mark = slot * STRIDE;
      // Reading first keeps the cache line of a slot that is taken shared.
      if (marks.get(mark) == FREE && marks.compareAndSet(mark, FREE, TAKEN)) {
        Worker worker = workers[slot];
        return worker != null ? worker : settle(slot);
      }
    }
    return new Worker(recordErrors, gzip, Worker.NO_SLOT);
  }

  /** Makes the worker of a slot that was taken. */
  private Worker settle(int slot) {
    Worker worker = null;
    try {
      worker = new Worker(recordErrors, gzip, slot);
      workers[slot] = worker;
      return worker;
    } finally {
      if (worker == null) {
        free(slot);
      }
    }
  }

  /**
   * Takes a worker back.
   *
   * @param worker is kept, or closed if it has no slot, if it is broken or holds too much
   */
  void release(Worker worker) {
    worker.batches().clear(); // else an idle worker keeps a whole request on the heap
    int slot = worker.slot();
    boolean kept = slot != Worker.NO_SLOT && !worker.broken() && !worker.holdsTooMuch();
    if (slot != Worker.NO_SLOT) {
      if (!kept) {
        workers[slot] = null;
      }
      free(slot);
    }
    if (!kept) {
      worker.close();
    }
  }

  private void free(int slot) {
    marks.setRelease(slot * STRIDE, FREE);
  }

  /** {@return how many workers nobody uses right now} */
  int idle() {
    int idle = 0;
    for (int slot = 0; slot < size; slot++) {
      idle += marks.get(slot * STRIDE) == FREE && workers[slot] != null ? 1 : 0;
    }
    return idle;
  }

  @SuppressWarnings("deprecation") // threadId() came with Java 19
  private int home() {
    return (int) ((Thread.currentThread().getId() & Long.MAX_VALUE) % homes);
  }
}
