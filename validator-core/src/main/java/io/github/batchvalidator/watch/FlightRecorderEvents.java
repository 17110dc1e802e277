// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes an event {@value RefusedBatchEvent#NAME} for each refused batch while the JDK's flight
 * recorder records it. While it does not, a refused batch costs a check of a flag and an accepted
 * one a check for null, without any object. An event that cannot be written is left out. Safe for
 * all threads.
 *
 * <p>At most {@value #EVENTS_PER_SECOND} events are written per second, so that a flood of refused
 * batches does not become a flood of events. The next event carries the number of events that were
 * suppressed before it. A suppressed event allocates nothing.
 *
 * <p>The module {@code jdk.jfr} is optional: where a runtime lacks it, or a host on the module path
 * does not resolve it ({@code --add-modules jdk.jfr}), nothing is ever written.
 */
public final class FlightRecorderEvents implements ValidationListener {
  /** The most events that one listener writes per second. */
  public static final int EVENTS_PER_SECOND = 100;

  private static final boolean AVAILABLE = isAvailable();

  private final EventRate rate;

  /** Creates a listener that writes while somebody records. */
  public FlightRecorderEvents() {
    this(new EventRate(EVENTS_PER_SECOND));
  }

  FlightRecorderEvents(EventRate rate) {
    this.rate = rate;
  }

  private static boolean isAvailable() {
    try {
      Class.forName("jdk.jfr.Event");
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    Reason reason = verdict.reason();
    if (reason == null || !AVAILABLE) {
      return;
    }
    try {
      if (RefusedBatchEvent.isRecorded() && rate.admits()) {
        RefusedBatchEvent.write(reason, verdict, where, rate);
      }
    } catch (RuntimeException | Error e) {
      // the batch was answered already: an event that cannot be written, or whose class no memory
      // was found for when it was initialised, must not change that
    }
  }
}
