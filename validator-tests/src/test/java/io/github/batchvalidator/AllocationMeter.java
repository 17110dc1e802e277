// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures how many bytes the current thread allocates per call of a body, by the counter that the
 * JVM keeps for each thread.
 *
 * <p>A round is many calls. An allocation in each call, or once in {@link #CALLS}, shows in every
 * round, so the minimum of all rounds is 0 only for a body that allocates nothing. Allocations that
 * happen once (class loading, linking, growing to the batch's size) are over after a few rounds.
 */
public final class AllocationMeter {
  /** Calls in a round: more than twice the batches after which oversized scratch is dropped. */
  public static final int CALLS = 300;

  /** Calls in a round of a slow body: still more than those batches. */
  public static final int FEW_CALLS = 150;

  /** The most rounds before their minimum counts as the allocation of a warm body. */
  private static final int MOST_ROUNDS = 40;

  /** Rounds for a body that is known to allocate. */
  private static final int FEW_ROUNDS = 4;

  /** The part of a round that runs before the first one. */
  private static final int WARMUP_PART = 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationMeter() {}

  /** Returns the bytes per call, rounded up, of the first round without any or else of the best. */
  public static long bytesPerCall(Runnable body) {
    return bytesPerCall(CALLS, body);
  }

  /** As {@link #bytesPerCall(Runnable)}, with rounds of another number of calls. */
  public static long bytesPerCall(int calls, Runnable body) {
    return leastOf(MOST_ROUNDS, calls, 0, body);
  }

  /**
   * As {@link #bytesPerCall(Runnable)}, for a body that may allocate: soon content with a round
   * that stays within what is allowed.
   */
  public static long bytesPerCall(int calls, long allowed, Runnable body) {
    return leastOf(MOST_ROUNDS, calls, allowed, body);
  }

  /**
   * As {@link #bytesPerCall(Runnable)}, for tests that only assert a bound. Runs the body in a new
   * thread, because an exception costs more on a deep stack, such as that of a test runner.
   */
  static long boundedBytesPerCall(Runnable body) throws InterruptedException {
    long[] bytes = {Long.MAX_VALUE};
    Thread thread = new Thread(() -> bytes[0] = leastOf(FEW_ROUNDS, FEW_CALLS, 0, body));
    thread.start();
    thread.join();
    return bytes[0];
  }

  private static long leastOf(int rounds, int calls, long allowed, Runnable body) {
    long least = Long.MAX_VALUE;
    round(calls / WARMUP_PART, body); // so that the first round is not of what happens once
    for (int i = 0; i < rounds && least > 0; i++) {
      if (i >= FEW_ROUNDS && least <= allowed * calls) {
        break;
      }
      least = Math.min(least, round(calls, body));
    }
    return (least + calls - 1) / calls;
  }

  private static long round(int calls, Runnable body) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < calls; i++) {
      body.run();
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
