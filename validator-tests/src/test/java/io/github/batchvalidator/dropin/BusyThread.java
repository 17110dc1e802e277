// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;

/**
 * The appends of one thread and their outcome. The thread has its own copies of the batches and its
 * own buffer supplier, like a request thread of a broker.
 */
final class BusyThread {
  private final List<BusyBatch> batches;
  private final BufferSupplier supplier = BufferSupplier.create();
  private final LongRef offset = PrimitiveRef.ofLong(0);
  private final Map<String, Long> refused = new TreeMap<>();
  private int next;
  private long appends;
  private long plainBytes;
  private long longestNanos;
  private long peakDirectBytes;

  /**
   * Creates the state of a thread.
   *
   * @param batches are copied
   * @param first index of the first batch, so that threads start with different batches
   */
  BusyThread(List<BusyBatch> batches, int first) {
    this.batches = batches.stream().map(BusyBatch::copy).toList();
    next = first % batches.size();
  }

  /** Appends the batches in turn, and samples the direct memory after each append. */
  BusyThread appendUntil(long deadline) {
    long began = System.nanoTime();
    while (began - deadline < 0) {
      append(batches.get(next));
      next = (next + 1) % batches.size();
      long ended = System.nanoTime();
      longestNanos = Math.max(longestNanos, ended - began);
      began = ended;
      peakDirectBytes = Math.max(peakDirectBytes, DirectMemory.bytes());
    }
    return this;
  }

  /** Appends each batch once. */
  void appendEach() {
    batches.forEach(this::append);
  }

  private void append(BusyBatch batch) {
    try {
      batch.append(offset, supplier);
      appends++;
      plainBytes += batch.plainBytes();
    } catch (RuntimeException | Error e) {
      String why = e.getCause() == null ? "" + e : e + ", caused by " + e.getCause();
      // Equal reasons with different numbers count together.
      refused.merge(why.replaceAll("\\d+", "#").replaceAll("\\s+", " "), 1L, Long::sum);
    }
  }

  /** {@return the number of refused batches by reason} */
  Map<String, Long> refused() {
    return refused;
  }

  /** {@return the number of accepted batches} */
  long appends() {
    return appends;
  }

  /** {@return the uncompressed bytes of the accepted batches} */
  long plainBytes() {
    return plainBytes;
  }

  /** {@return the duration of the longest append, including waits for a worker or a processor} */
  long longestNanos() {
    return longestNanos;
  }

  /** {@return the largest sample of the direct memory of the JVM} */
  long peakDirectBytes() {
    return peakDirectBytes;
  }
}
