// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.GzipInflater;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of workers, shared by all appends of a broker
 * (docs/decisions/006-pool-of-workers.md).
 *
 * <p>Each worker belongs to a slot and is made when the slot is first taken, so the number of
 * workers follows the largest number of concurrent appends up to {@link #size()}. Further appends
 * wait for a worker: they would only compete for the same processors.
 *
 * <p>Safe for all threads, virtual threads too. A thread must not acquire a second worker.
 */
final class WorkerPool {
  /** Twice the default of {@code num.io.threads}. */
  private static final int LEAST_SIZE = 16;

  private final int recordErrors;
  private final GzipInflater gzip;
  private final Slots slots;

  /** Each element is read and written only by the thread that has taken the slot. */
  private final @Nullable Worker[] workers;

  /**
   * Creates an empty pool with two slots per processor, and at least 16.
   *
   * @param recordErrors how many failing records a worker remembers
   * @param gzip what inflates gzip
   */
  WorkerPool(int recordErrors, GzipInflater gzip) {
    this(recordErrors, gzip, Runtime.getRuntime().availableProcessors());
  }

  /** Has one home per processor, whose cache has room for the windows of one worker. */
  private WorkerPool(int recordErrors, GzipInflater gzip, int processors) {
    this(recordErrors, gzip, processors, Math.max(2 * processors, LEAST_SIZE));
  }

  WorkerPool(int recordErrors, GzipInflater gzip, int homes, int size) {
    this.recordErrors = recordErrors;
    this.gzip = gzip;
    slots = new Slots(homes, size);
    workers = new @Nullable Worker[size];
  }

  /** {@return a worker for this thread until it is released} Waits if all are in use. */
  Worker acquire() {
    int slot = slots.take();
    Worker worker = workers[slot];
    return worker != null ? worker : settle(slot);
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
        slots.free(slot);
      }
    }
  }

  /**
   * Takes a worker back.
   *
   * @param worker is kept, or closed if it is broken or holds too much memory
   */
  void release(Worker worker) {
    worker.batches().clear(); // else an idle worker keeps a whole request on the heap
    int slot = worker.slot();
    try {
      if (worker.broken() || worker.holdsTooMuch()) {
        workers[slot] = null;
        worker.close();
      }
    } finally {
      slots.free(slot);
    }
  }

  /** {@return the largest number of workers} */
  int size() {
    return workers.length;
  }

  /** {@return how many workers nobody uses right now} */
  int idle() {
    int idle = 0;
    for (int slot = 0; slot < workers.length; slot++) {
      idle += slots.isFree(slot) && workers[slot] != null ? 1 : 0;
    }
    return idle;
  }
}
