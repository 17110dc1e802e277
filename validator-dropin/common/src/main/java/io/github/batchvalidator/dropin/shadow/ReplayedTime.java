// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A clock that returns the same time to both validators. Without it, a millisecond between the two
 * calls would count as a difference. Confined to one thread.
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

  /** Reads the real clock again at the next call of {@link #milliseconds()}. */
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
