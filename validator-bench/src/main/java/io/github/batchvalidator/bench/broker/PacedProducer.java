// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A producer whose latencies count from the time at which a request was due. A request that waits
 * because an earlier one has no answer yet is late, and its latency says so. One thread sends,
 * another takes the answers.
 */
final class PacedProducer {
  /** Requests without an answer, as Kafka's producer has them at most. */
  private static final int MOST_IN_FLIGHT = 5;

  private static final long TIMEOUT_SECONDS = 60;

  /** A connection to a broker, which answers in order. */
  interface Connection {
    void send(long request) throws IOException;

    /** Returns when the next answer is there, and throws if it is an error. */
    void awaitAnswer() throws IOException;
  }

  private final Connection connection;
  private final Pace pace;
  private final Semaphore places = new Semaphore(MOST_IN_FLIGHT);
  private final Semaphore expected = new Semaphore(0);
  private final AtomicLongArray dues = new AtomicLongArray(MOST_IN_FLIGHT);
  private final Histogram latencies = Latencies.empty();
  private volatile long sent;
  private long firstNanos;
  private long lastNanos;

  PacedProducer(Connection connection, Pace pace) {
    this.connection = connection;
    this.pace = pace;
  }

  /** Sends all requests. */
  void send() throws IOException, InterruptedException {
    for (long i = 0; i < pace.requests(); i++) {
      if (!pace.isFullSpeed()) {
        sleepUntil(pace.due(i));
      }
      if (!places.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("no answer for " + TIMEOUT_SECONDS + " s");
      }
      long due = pace.isFullSpeed() ? System.nanoTime() : pace.due(i);
      if (pace.isFullSpeed() && i > 0 && pace.isOver(due)) {
        break;
      }
      dues.set((int) (i % MOST_IN_FLIGHT), due);
      connection.send(i);
      sent = i + 1;
      expected.release();
    }
    expected.release();
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Takes the answers, and returns after the last one. */
  void receive() throws IOException, InterruptedException {
    for (long i = 0; ; i++) {
      expected.acquire();
      if (i == sent) {
        return;
      }
      connection.awaitAnswer();
      long now = System.nanoTime();
      long due = dues.get((int) (i % MOST_IN_FLIGHT));
      places.release();
      if (pace.counts(i, due)) {
        if (latencies.getTotalCount() == 0) {
          firstNanos = due;
        }
        latencies.recordValue(Math.max(0, now - due));
        lastNanos = now;
      }
    }
  }

  /** Returns the number of requests. */
  long sent() {
    return sent;
  }

  /** Returns the latencies of the requests that count. */
  Histogram latencies() {
    return latencies;
  }

  /** Returns when the first request that counts was due. */
  long firstNanos() {
    return firstNanos;
  }

  /** Returns when the last one was answered. */
  long lastNanos() {
    return lastNanos;
  }
}
