// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.util.concurrent.TimeUnit;

/** Waits for other threads and processes. */
public final class Await {
  private static final long POLL_MS = 20;

  private Await() {}

  /** A condition that comes true at some time. */
  public interface Condition<E extends Exception> {
    boolean isMet() throws E;
  }

  /**
   * Returns when a condition is met.
   *
   * @param failure the message of the exception, made when time is up
   * @throws IllegalStateException if that takes longer than the given number of seconds
   */
  public static <E extends Exception> void until(
      long seconds, Condition<E> condition, Failure<E> failure) throws E, InterruptedException {
    if (!isMet(seconds, condition)) {
      throw new IllegalStateException(failure.message());
    }
  }

  /** Waits until a condition is met, and returns false if that takes too long. */
  public static <E extends Exception> boolean isMet(long seconds, Condition<E> condition)
      throws E, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    boolean isMet = condition.isMet();
    while (!isMet && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      isMet = condition.isMet();
    }
    return isMet;
  }

  /** Says what did not happen. */
  public interface Failure<E extends Exception> {
    String message() throws E;
  }
}
