// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A clock that tells Kafka's validator the time and ours, which is asked later, the same again: a
 * millisecond more would be a difference that nobody made. For one thread.
 */
final class ReplayedTime implements Time {
  private final Time time;
  private @Nullable Long first;

  ReplayedTime(Time time) {
    this.time = time;
  }

  @Override
  public long milliseconds() {
    Long now = first;
    if (now == null) {
      now = time.milliseconds();
      first = now;
    }
    return now;
  }

  /** Lets the next one who asks be the first one. */
  void reset() {
    first = null;
  }

  @Override
  public long nanoseconds() {
    return time.nanoseconds();
  }

  @Override
  public void sleep(long ms) {
    time.sleep(ms);
  }

  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
      throws InterruptedException {
    time.waitObject(object, condition, deadlineMs);
  }
}
