// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A bound on the number of events per second, with a count of the suppressed events. Safe for use
 * by multiple threads, lock-free, and never allocates after construction.
 */
final class EventRate {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Bits for the number of events within a second. */
  private static final int COUNT_BITS = 16;

  private final int most;
  private final LongSupplier nanoTime;
  private final long created;

  /** The second of the last admitted event and, in the low bits, the number of events in it. */
  private final AtomicLong admitted = new AtomicLong();

  private final AtomicLong suppressed = new AtomicLong();

  /** Creates a bound that uses the system clock. */
  EventRate(int most) {
    this(most, System::nanoTime);
  }

  /**
   * Creates a bound.
   *
   * @param most the maximum number of events per second, below 65,536
   * @param nanoTime the clock, as {@link System#nanoTime()}
   */
  EventRate(int most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
    created = nanoTime.getAsLong();
  }

  /** Returns true if an event may be written; counts it as suppressed otherwise. */
  boolean admits() {
    long now = ((nanoTime.getAsLong() - created) / NANOS) << COUNT_BITS;
    while (true) {
      long last = admitted.get();
      long next = Math.max(last, now) + 1;
      if ((next & ((1 << COUNT_BITS) - 1)) > most) {
        suppressed.incrementAndGet();
        return false;
      }
      if (admitted.compareAndSet(last, next)) {
        return true;
      }
    }
  }

  /** Returns how many events were suppressed since the last call. */
  long takeSuppressed() {
    return suppressed.getAndSet(0);
  }
}
