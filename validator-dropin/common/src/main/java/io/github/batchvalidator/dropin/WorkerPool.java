// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.codec.GzipInflater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the workers that nobody uses, a bounded number of them whatever the number of threads
 * (docs/decisions/006-pool-of-workers.md).
 *
 * <p>A thread looks at its home slot first, so that a broker's request threads find their own
 * worker again, warm and without contention; then at the others. Who finds none gets a new one.
 * Lock-free; safe for all threads, virtual ones too.
 */
final class WorkerPool {
  private static final int WORKERS_PER_PROCESSOR = 2;

  /** Slots lie in cache lines of their own. */
  private static final int STRIDE = 16;

  private final int recordErrors;
  private final GzipInflater gzip;
  private final int size;
  private final AtomicReferenceArray<@Nullable Worker> slots;

  /**
   * Creates an empty pool.
   *
   * @param recordErrors how many failing records a worker remembers
   * @param gzip what inflates gzip
   */
  WorkerPool(int recordErrors, GzipInflater gzip) {
    this(recordErrors, gzip, WORKERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
  }

  WorkerPool(int recordErrors, GzipInflater gzip, int size) {
    this.recordErrors = recordErrors;
    this.gzip = gzip;
    this.size = size;
    slots = new AtomicReferenceArray<>(size * STRIDE);
  }

  /** {@return a worker for this thread until it is released} */
  Worker acquire() {
    int home = home();
    for (int i = 0; i < size; i++) {
      int slot = slot(home + i);
      // Reading first keeps the cache line of an empty slot shared.
      if (slots.get(slot) != null) {
        Worker worker = slots.getAndSet(slot, null);
        if (worker != null) {
          return worker;
        }
      }
    }
    return new Worker(recordErrors, gzip);
  }

  /**
   * Takes a worker back.
   *
   * @param worker is kept, or closed if there is no room for it, if it is broken or holds too much
   */
  void release(Worker worker) {
    if (!worker.broken() && !worker.holdsTooMuch()) {
      int home = home();
      for (int i = 0; i < size; i++) {
        if (slots.compareAndSet(slot(home + i), null, worker)) {
          return;
        }
      }
    }
    worker.close();
  }

  /** {@return how many workers nobody uses right now} */
  int idle() {
    int idle = 0;
    for (int i = 0; i < size; i++) {
      idle += slots.get(i * STRIDE) == null ? 0 : 1;
    }
    return idle;
  }

  private int slot(int i) {
    return (i < size ? i : i - size) * STRIDE;
  }

  @SuppressWarnings("deprecation") // threadId() came with Java 19
  private int home() {
    return (int) ((Thread.currentThread().getId() & Long.MAX_VALUE) % size);
  }
}
