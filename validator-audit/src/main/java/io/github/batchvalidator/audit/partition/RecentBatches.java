// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;

/**
 * The last {@value #CAPACITY} batches of a log, to compare them with the same batches of another
 * segment. Memory does not depend on the number of batches.
 */
final class RecentBatches {
  static final int CAPACITY = 1 << 16;

  private static final int FACTOR = 31;

  private final long[] offsets = new long[CAPACITY];
  private final long[] contents = new long[CAPACITY];
  private int start;
  private int size;

  /** Adds a batch that follows all others. */
  void add(StoredBatch batch) {
    int at = (start + size) % CAPACITY;
    offsets[at] = batch.baseOffset();
    contents[at] = content(batch);
    if (size < CAPACITY) {
      size++;
    } else {
      start = (start + 1) % CAPACITY;
    }
  }

  /** Returns what replicas have in common of a batch, as one number. */
  private static long content(StoredBatch batch) {
    long content = batch.lastOffset();
    content = content * FACTOR + batch.bytes();
    content = content * FACTOR + batch.maxTimestamp();
    content = content * FACTOR + batch.producerId();
    return content * FACTOR + batch.baseSequence();
  }

  /** Returns true if another batch is known to be at the offset of a batch. */
  boolean contradict(StoredBatch batch) {
    if (size == 0 || batch.baseOffset() < offsets[start]) {
      return false;
    }
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offsets[(start + middle) % CAPACITY] <= batch.baseOffset()) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int at = (start + low) % CAPACITY;
    return offsets[at] != batch.baseOffset() || contents[at] != content(batch);
  }

  void clear() {
    size = 0;
  }
}
