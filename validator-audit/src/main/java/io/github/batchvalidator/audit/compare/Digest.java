// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.util.List;
import java.util.NavigableMap;

/**
 * The hashes of one copy of a partition.
 *
 * <p>Ranges have a fixed number of offsets and start at its multiples, because replicas roll their
 * segments at different offsets. A batch belongs to the range of its base offset. A range without
 * batches is left out.
 *
 * @param partition the name of the directory, {@code TOPIC-PARTITION}
 * @param path the path of the directory
 * @param topicId the topic id, or an empty text if it is unknown
 * @param rangeSize the number of offsets in a range
 * @param start the first offset of the log
 * @param highWatermark the checkpointed high watermark, or -1
 * @param end the offset after those in the digest: the high watermark, or the end of the log
 * @param compacted true if the files show that the copy is compacted
 * @param epochs the leader epochs of the checkpoint by their first offsets
 * @param ranges the ranges in their order
 */
public record Digest(
    String partition,
    String path,
    String topicId,
    long rangeSize,
    long start,
    long highWatermark,
    long end,
    boolean compacted,
    NavigableMap<Long, Integer> epochs,
    List<Range> ranges) {
  /** The default number of offsets in a range: 64 ranges for a gigabyte of records of 1 KiB. */
  public static final long RANGE_SIZE = 1 << 14;

  /**
   * The hash of the batches of a range.
   *
   * @param index the first offset of a whole range, divided by the number of its offsets
   * @param batches the number of batches
   * @param bytes the number of their bytes
   * @param hash the CRC-32 of these bytes, and in the low half the CRC-32C
   * @param minEpoch the lowest leader epoch
   * @param maxEpoch the highest leader epoch
   * @param damaged true if bytes are damaged
   * @param gaps true if offsets are missing, or the cleaner has rewritten a batch
   */
  public record Range(
      long index,
      long batches,
      long bytes,
      long hash,
      int minEpoch,
      int maxEpoch,
      boolean damaged,
      boolean gaps) {
    /** Returns true if both ranges have the same bytes. */
    boolean hasSameBytes(Range other) {
      return batches == other.batches && bytes == other.bytes && hash == other.hash;
    }
  }
}
