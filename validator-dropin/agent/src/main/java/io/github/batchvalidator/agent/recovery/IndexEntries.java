// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.util.Arrays;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.TimeIndex;

/**
 * The entries of the offset index and the time index of a segment, which are written when the whole
 * segment is found sound. An index that Kafka leaves half written after a failed start then has no
 * bytes that Kafka would not have written. Not thread-safe.
 */
final class IndexEntries {
  /** More entries than an index of 8 MiB has. */
  static final int MOST = 1 << 20;

  private int[] positions = new int[1024];
  private long[] offsets = new long[1024];
  private long[] timestamps = new long[1024];
  private long[] timestampOffsets = new long[1024];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /**
   * Adds an entry.
   *
   * @param offset the last offset of the batch
   * @param position the position of the batch
   * @param timestamp the largest timestamp so far
   * @param timestampOffset the last offset of the batch with that timestamp
   */
  void add(long offset, int position, long timestamp, long timestampOffset) {
    if (size == positions.length) {
      int more = 2 * size;
      positions = Arrays.copyOf(positions, more);
      offsets = Arrays.copyOf(offsets, more);
      timestamps = Arrays.copyOf(timestamps, more);
      timestampOffsets = Arrays.copyOf(timestampOffsets, more);
    }
    positions[size] = position;
    offsets[size] = offset;
    timestamps[size] = timestamp;
    timestampOffsets[size++] = timestampOffset;
  }

  /** Appends the entries to the indexes, in the order of Kafka. */
  void write(OffsetIndex index, TimeIndex times) {
    for (int i = 0; i < size; i++) {
      index.append(offsets[i], positions[i]);
      times.maybeAppend(timestamps[i], timestampOffsets[i]);
    }
  }
}
