// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A partition that several threads append to. It keeps the log end offset under a lock, as {@code
 * UnifiedLog} does, and the times for which the lock was held. It stores no records, because the
 * copy would cost all contenders the same.
 */
public final class Partition {
  private static final long LONGEST_HOLD_NS = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final Object lock = new Object();
  private final List<SingleWriterRecorder> recorders = new ArrayList<>();
  private long logEndOffset = AppendBody.FIRST_OFFSET;
  private long appends;
  private long firstNs;
  private long lastNs;

  /** Creates an empty partition. */
  public Partition() {}

  /** Returns a recorder for the thread that asks. */
  SingleWriterRecorder newRecorder() {
    SingleWriterRecorder recorder = new SingleWriterRecorder(LONGEST_HOLD_NS, DIGITS);
    synchronized (recorders) {
      recorders.add(recorder);
    }
    return recorder;
  }

  /** Appends a prepared batch and records how long the lock was held, when it is not any more. */
  void append(AppendBody appender, ByteBuffer batch, SingleWriterRecorder holds) {
    long held;
    synchronized (lock) {
      long since = System.nanoTime();
      logEndOffset = appender.append(batch, logEndOffset);
      lastNs = since;
      if (appends++ == 0) {
        firstNs = since;
      }
      held = System.nanoTime() - since;
    }
    holds.recordValue(held);
  }

  /** Returns the log end offset. */
  public long logEndOffset() {
    synchronized (lock) {
      return logEndOffset;
    }
  }

  /**
   * Returns the batches appended per second since the last call, from the first to the last of
   * them. JMH adds up the rates of the threads instead, each over the time in which it counted. A
   * thread that waits for the lock until the others are done would count with its full rate.
   */
  public double appendsPerSecond() {
    synchronized (lock) {
      double seconds = (lastNs - firstNs) / (double) TimeUnit.SECONDS.toNanos(1);
      double rate = appends > 1 ? (appends - 1) / seconds : 0;
      appends = 0;
      return rate;
    }
  }

  /** Returns the times for which the lock was held since the last call, in nanoseconds. */
  public Histogram holds() {
    Histogram all = new Histogram(LONGEST_HOLD_NS, DIGITS);
    synchronized (recorders) {
      recorders.forEach(each -> all.add(each.getIntervalHistogram()));
    }
    return all;
  }
}
