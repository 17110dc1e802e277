// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;

/**
 * What one thread appends, and what became of it. Its batches and its supplier of buffers are its
 * own, like those of a broker's request thread.
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
   * Copies the batches.
   *
   * @param first number of the batch to begin with, so that threads differ
   */
  BusyThread(List<BusyBatch> batches, int first) {
    this.batches = batches.stream().map(BusyBatch::copy).toList();
    next = first % batches.size();
  }

  /** Appends one batch after the other, and looks at the direct memory after each. */
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

  private void append(BusyBatch batch) {
    try {
      batch.append(offset, supplier);
      appends++;
      plainBytes += batch.plainBytes();
    } catch (RuntimeException | Error e) {
      String why = e.getCause() == null ? "" + e : e + ", caused by " + e.getCause();
      // Without the numbers of each case the reasons are few.
      refused.merge(why.replaceAll("\\d+", "#").replaceAll("\\s+", " "), 1L, Long::sum);
    }
  }

  /** {@return how often each reason refused a batch} */
  Map<String, Long> refused() {
    return refused;
  }

  /** {@return how many batches were accepted} */
  long appends() {
    return appends;
  }

  /** {@return bytes of their records before compression} */
  long plainBytes() {
    return plainBytes;
  }

  /** {@return what the longest append took, its wait for a worker or a processor included} */
  long longestNanos() {
    return longestNanos;
  }

  /** {@return most bytes of direct buffers in the JVM after any append} */
  long peakDirectBytes() {
    return peakDirectBytes;
  }
}
