// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The listener of {@link ValidationListener#flightRecorder()}. A suppressed event allocates
 * nothing.
 */
final class FlightRecorderEvents implements ValidationListener {
  /** The maximum number of events that one listener writes per second. */
  static final int EVENTS_PER_SECOND = 100;

  private static final boolean AVAILABLE = isAvailable();

  private final EventRate rate;

  /** Creates a listener. */
  FlightRecorderEvents() {
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
