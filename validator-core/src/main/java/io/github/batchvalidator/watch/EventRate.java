// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A bound on events: a fixed number per second, and a count of those beyond it. Safe for all
 * threads, lock-free, and allocates nothing once created.
 */
final class EventRate {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Bits for the number of events within a second. */
  private static final int COUNT_BITS = 16;

  private final int most;
  private final LongSupplier nanoTime;
  private final long created;

  /** The second that events were last admitted in, and in the low bits how many. */
  private final AtomicLong admitted = new AtomicLong();

  private final AtomicLong suppressed = new AtomicLong();

  /** Creates a bound that goes by the system's clock. */
  EventRate(int most) {
    this(most, System::nanoTime);
  }

  /**
   * Creates a bound.
   *
   * @param most events per second, below 65,536
   * @param nanoTime as {@link System#nanoTime()}
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
