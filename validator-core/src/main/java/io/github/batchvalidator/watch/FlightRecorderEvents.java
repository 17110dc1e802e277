// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A listener that writes an event {@value RefusedBatchEvent#NAME} for each refused batch while the
 * JDK's flight recorder records such events. Otherwise a refused batch costs the check of a flag,
 * and nothing is allocated. An event that cannot be written is dropped. Safe for use by multiple
 * threads.
 *
 * <p>At most {@value #EVENTS_PER_SECOND} events are written per second, so that a flood of refused
 * batches does not become a flood of events. The next event carries the number of events that were
 * suppressed before it. A suppressed event allocates nothing.
 *
 * <p>The module {@code jdk.jfr} is optional. No event is ever written if the runtime lacks the
 * module, or if a host on the module path does not resolve it with {@code --add-modules jdk.jfr}.
 */
public final class FlightRecorderEvents implements ValidationListener {
  /** The maximum number of events that one listener writes per second. */
  public static final int EVENTS_PER_SECOND = 100;

  private static final boolean AVAILABLE = isAvailable();

  private final EventRate rate;

  /** Creates a listener. */
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
      // The verdict stands. A failure to write the event, or to initialize its class, must not
      // change the answer to the client.
    }
  }
}
