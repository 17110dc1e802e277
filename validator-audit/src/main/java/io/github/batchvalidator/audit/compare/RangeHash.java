// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A calculator of the hashes of ranges.
 *
 * <p>The hash is the CRC-32 and the CRC-32C of the bytes of all batches, one after the other. Both
 * together are a check of 64 bits against damage, at the speed of memory. They are no protection
 * against someone who forges batches.
 *
 * <p>Confined to one thread.
 */
final class RangeHash {
  private static final int HALF = 32;

  private final long rangeSize;
  private final List<Digest.Range> ranges = new ArrayList<>();
  private final CRC32 crc32 = new CRC32();
  private final CRC32C crc32c = new CRC32C();
  private long index = -1;
  private long batches;
  private long bytes;
  private int minEpoch;
  private int maxEpoch;
  private boolean damaged;
  private boolean gaps;

  RangeHash(long rangeSize) {
    this.rangeSize = rangeSize;
  }

  /** Starts the range of an offset, unless it is the current one or before it. */
  void start(long offset) {
    long next = offset / rangeSize;
    if (next > index) {
      endRange();
      index = next;
    }
  }

  private void endRange() {
    if (batches > 0 || damaged) {
      long hash = crc32.getValue() << HALF | crc32c.getValue();
      ranges.add(new Digest.Range(index, batches, bytes, hash, minEpoch, maxEpoch, damaged, gaps));
    }
    crc32.reset();
    crc32c.reset();
    batches = 0;
    bytes = 0;
    minEpoch = Integer.MAX_VALUE;
    maxEpoch = -1;
    damaged = false;
    gaps = false;
  }

  /** Adds a batch to the current range. */
  void add(CopyCursor batch) {
    ByteBuffer buffer = batch.buffer();
    int from = batch.index();
    int size = batch.bytes();
    if (buffer.hasArray()) {
      int start = buffer.arrayOffset() + from;
      crc32.update(buffer.array(), start, size);
      crc32c.update(buffer.array(), start, size);
    } else {
      ByteBuffer bytesOfBatch = buffer.duplicate().clear().slice(from, size);
      crc32.update(bytesOfBatch.duplicate());
      crc32c.update(bytesOfBatch);
    }
    batches++;
    bytes += size;
    minEpoch = Math.min(minEpoch, batch.leaderEpoch());
    maxEpoch = Math.max(maxEpoch, batch.leaderEpoch());
  }

  /** Says that bytes of the current range are damaged. */
  void damaged() {
    damaged = true;
  }

  /** Says that an offset is missing or changed by the cleaner, if it is in the current range. */
  void gap(long offset) {
    gaps |= offset / rangeSize == index;
  }

  /** Forgets all ranges, because what is before the next batch was deleted. */
  void clear() {
    endRange();
    ranges.clear();
    index = -1;
  }

  /** Returns the ranges. */
  List<Digest.Range> end() {
    endRange();
    return ranges;
  }
}
