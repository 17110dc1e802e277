// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The bound on the rate of reads. Each read waits until the reads before it are paid for, so that a
 * burst is one read at most. Time without reads is not saved up.
 *
 * <p>Confined to one thread.
 */
final class Pace {
  /** How long a stop may take. */
  private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final double nanosPerByte;
  private final ScrubClock clock;
  private final BooleanSupplier isStopped;
  private final Runnable tick;

  /** The time from which on the next read may start. */
  private long free;

  /**
   * Creates a bound.
   *
   * @param rate the maximum rate
   * @param clock the time, and the way to wait
   * @param isStopped returns true if no more bytes should be read
   * @param tick is called before each read and while a read waits
   */
  Pace(ByteRate rate, ScrubClock clock, BooleanSupplier isStopped, Runnable tick) {
    nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / rate.bytesPerSecond();
    this.clock = clock;
    this.isStopped = isStopped;
    this.tick = tick;
    free = clock.nanos();
  }

  /** Waits until some bytes may be read. Fails if the scrub is stopped. */
  void await(long bytes) throws IOException {
    waitUntil(free);
    if (isStopped.getAsBoolean()) {
      throw new IOException("the scrub is stopped");
    }
    long now = clock.nanos();
    free = (now - free > 0 ? now : free) + Math.round(bytes * nanosPerByte);
  }

  /** Waits until a time of the clock, or until the scrub is stopped. */
  void waitUntil(long nanos) {
    tick.run();
    while (nanos - clock.nanos() > 0 && !isStopped.getAsBoolean()) {
      clock.sleep(Math.min(MAX_SLEEP_NANOS, nanos - clock.nanos()));
      tick.run();
    }
  }
}
