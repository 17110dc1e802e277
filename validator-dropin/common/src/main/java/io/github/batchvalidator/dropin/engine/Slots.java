// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of slots, each of which belongs to at most one thread at a time. A thread that
 * finds all slots taken waits for one.
 *
 * <p>Taking a free slot is one compare-and-set, freeing it is one store. Waiting threads queue, and
 * the first of them looks for a free slot each time that one is freed.
 *
 * <p>Safe for all threads, virtual threads too. A thread must not take a second slot.
 */
public final class Slots {
  private static final int NONE = -1;
  private static final int FREE = 0;
  private static final int TAKEN = 1;

  /** The distance between marks, so that no two marks share a cache line. */
  private static final int STRIDE = 16;

  /** 2^32 divided by the golden ratio: its multiples are spread evenly over all ints. */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private static final long LONGEST_PARK_NANOS = 1_000_000;

  private final int homes;
  private final int size;
  private final AtomicIntegerArray marks;

  private final ReentrantLock queue = new ReentrantLock(true);
  private volatile @Nullable Thread first;

  /**
   * Creates slots that are all free.
   *
   * @param homes the number of slots that are the first choice of a thread
   * @param size the number of slots, at least as many as homes
   */
  public Slots(int homes, int size) {
    this.homes = homes;
    this.size = size;
    marks = new AtomicIntegerArray(size * STRIDE);
  }

  /**
   * Takes a slot. An interrupt does not end a wait; it is kept for the caller.
   *
   * @return the slot, from 0 to the size - 1, until it is {@linkplain #free freed}
   */
  public int take() {
    int slot = tryTake();
    return slot != NONE ? slot : await();
  }

  /** Tries the home of this thread, then the other homes, then the other slots. */
  private int tryTake() {
    int home = home();
    if (tryTake(home)) {
      return home;
    }
    for (int i = 1; i < size; i++) {
      int slot = i < homes ? (home + i) % homes : i;
      if (tryTake(slot)) {
        return slot;
      }
    }
    return NONE;
  }

  private boolean tryTake(int slot) {
    int mark = slot * STRIDE;
    // Reading first keeps the cache line of a taken slot shared.
    return marks.get(mark) == FREE && marks.compareAndSet(mark, FREE, TAKEN);
  }

  private int await() {
    boolean interrupted = false;
    queue.lock();
    try {
      first = Thread.currentThread();
      int slot = tryTake();
      while (slot == NONE) {
        // The time limit covers a slot that was freed while this thread was registering.
        LockSupport.parkNanos(this, LONGEST_PARK_NANOS);
        interrupted |= Thread.interrupted();
        slot = tryTake();
      }
      return slot;
    } finally {
      first = null;
      queue.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Frees a slot and wakes the first waiting thread.
   *
   * @param slot a result of {@link #take}; what its owner wrote is visible to the next owner
   */
  public void free(int slot) {
    marks.setRelease(slot * STRIDE, FREE);
    Thread waiting = first;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * {@return true if no thread has the slot}
   *
   * @param slot a number from 0 to the size - 1
   */
  public boolean isFree(int slot) {
    return marks.get(slot * STRIDE) == FREE;
  }

  /** Spreads consecutive thread ids over the homes, without a division. */
  @SuppressWarnings("deprecation") // threadId() requires Java 19
  private int home() {
    int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
    return (int) (((spread & 0xFFFFFFFFL) * homes) >>> Integer.SIZE);
  }
}
