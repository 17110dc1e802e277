// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

/**
 * When the requests of a producer are due, whether or not the broker has answered the ones before.
 *
 * @param startNanos when the first request is due, by {@link System#nanoTime}
 * @param periodNanos from one request to the next; 0 if each is due once the producer can send it
 * @param requests the most requests
 * @param lengthNanos after which no request is sent at full speed
 */
record Pace(long startNanos, double periodNanos, long requests, long lengthNanos) {
  /** A part of the slot is left to warm-up. */
  private static final int WARM_UP_PART = 5;

  boolean isFullSpeed() {
    return periodNanos == 0;
  }

  /** Returns when a request is due, at a fixed rate. */
  long due(long request) {
    return startNanos + Math.round(request * periodNanos);
  }

  /** Tells whether time is up, at full speed. */
  boolean isOver(long nanos) {
    return nanos - startNanos >= lengthNanos;
  }

  /** Tells whether a request counts towards speed and latency. */
  boolean counts(long request, long dueNanos) {
    return request >= requests / WARM_UP_PART
        || dueNanos - startNanos >= lengthNanos / WARM_UP_PART;
  }
}
