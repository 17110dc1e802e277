// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A search for intact batches by their checksums, for places where lengths are not plausible.
 *
 * <p>Each candidate costs a checksum over the size that it declares. A failed search reads the rest
 * of the segment. All searches together read at most about {@value #PASSES} times the size of the
 * segment, so a crafted file costs no more than that.
 *
 * <p>Confined to one thread.
 */
final class BatchSearch {
  /** Sentinel: no batch was found. */
  static final long NOT_FOUND = -1;

  private static final int WINDOW_BYTES = 1 << 18;

  /** The cost limit of all searches together, in passes over the segment. */
  private static final int PASSES = 8;

  private static final int SMALLEST_LENGTH = BatchLayout.HEADER_BYTES - BatchLayout.LOG_OVERHEAD;

  private static final byte[] ZEROS = new byte[1 << 13];

  private static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private final Segment segment;
  private final SegmentWindow searched = new SegmentWindow(WINDOW_BYTES, WINDOW_BYTES);
  private final SegmentWindow summed = new SegmentWindow(WINDOW_BYTES, WINDOW_BYTES);
  private final CRC32C crc32c = new CRC32C();
  private final CRC32 crc32 = new CRC32();
  private long budget;

  /** The start of the last run of zeros that was measured. */
  private long zerosFrom;

  /** The end of that run, exclusive. */
  private long zerosEnd;

  BatchSearch(Segment segment) {
    this.segment = segment;
    budget = PASSES * segment.size();
  }

  /** Returns false if the search reached its cost limit, so that its result proves nothing. */
  boolean isComplete() {
    return budget > 0;
  }

  /**
   * Returns the position of the first intact batch of magic 2, or {@link #NOT_FOUND}. Batches with
   * unknown attributes are not found.
   *
   * @param from the position to start at
   * @param previousOffset the offset that the base offset must exceed
   */
  long find(long from, long previousOffset) throws IOException {
    long last = segment.size() - BatchLayout.HEADER_BYTES;
    long at = from;
    while (at <= last && isComplete()) {
      if (isKnownZero(at + BatchLayout.MAGIC_OFFSET)) { // zeros are not magic 2
        at = moved(at, zerosEnd - BatchLayout.MAGIC_OFFSET);
        continue;
      }
      searched.load(segment, at, BatchLayout.HEADER_BYTES, segment.size());
      long loaded = at + searched.limit() - searched.indexOf(at) - BatchLayout.HEADER_BYTES;
      long end = Math.min(last, loaded);
      at = moved(at, nextMagic(at, end));
      while (at <= end && isComplete()) {
        if (mayStart(at, previousOffset)
            && isIntact(at, sizeAt(at), BatchLayout.MAGIC_V2)
            && isFollowed(at)) {
          return at;
        }
        at = moved(at, nextMagic(at + 1, end));
      }
    }
    return NOT_FOUND;
  }

  /** Returns {@code to}, and charges the budget with one byte per position on the way. */
  private long moved(long from, long to) {
    budget -= to - from;
    return to;
  }

  /**
   * Returns the first position at which a batch would have magic 2, or {@code end + 1}. Compares
   * eight bytes at a time, because damage may span gigabytes.
   */
  private long nextMagic(long from, long end) {
    byte[] array = searched.buffer().array();
    int first = searched.indexOf(from) + BatchLayout.MAGIC_OFFSET;
    int limit = searched.indexOf(end) + BatchLayout.MAGIC_OFFSET + 1;
    int index = first;
    while (index <= limit - Long.BYTES && !hasMagic(BigEndian.getLong(array, index))) {
      index += Long.BYTES;
    }
    while (index < limit && array[index] != BatchLayout.MAGIC_V2) {
      index++;
    }
    return from + index - first;
  }

  /** Returns true if any of the eight bytes is 2, which makes a byte of the difference 0. */
  private static boolean hasMagic(long word) {
    long difference = word ^ (LOW_BITS * BatchLayout.MAGIC_V2);
    return ((difference - LOW_BITS) & ~difference & HIGH_BITS) != 0;
  }

  /**
   * Returns true if a batch may start at a position. In a large file, a false candidate may cost a
   * checksum over half of the rest, so random bytes should seldom pass.
   */
  private boolean mayStart(long at, long previousOffset) {
    ByteBuffer buffer = searched.buffer();
    int start = searched.indexOf(at);
    return BatchLayout.lengthAt(buffer, start) >= SMALLEST_LENGTH
        && sizeAt(at) <= segment.size() - at
        && BatchLayout.baseOffsetAt(buffer, start) > previousOffset
        && SegmentStart.mayBeHeader(buffer, start);
  }

  private long sizeAt(long at) {
    int length = BatchLayout.lengthAt(searched.buffer(), searched.indexOf(at));
    return (long) BatchLayout.LOG_OVERHEAD + length;
  }

  /**
   * Returns true if a batch, zeros or the end of the segment follow the batch at a position.
   *
   * <p>This excludes a batch inside the value of a record, which no other batch follows. If the
   * value holds several batches, only the last one is excluded.
   */
  private boolean isFollowed(long at) throws IOException {
    long next = at + sizeAt(at);
    int bytes = (int) Math.min(BatchLayout.PREFIX_BYTES, segment.size() - next);
    if (bytes < BatchLayout.PREFIX_BYTES) {
      return true;
    }
    summed.load(segment, next, bytes, segment.size());
    int start = summed.indexOf(next);
    byte magic = BatchLayout.magicAt(summed.buffer(), start);
    int length = BatchLayout.lengthAt(summed.buffer(), start);
    return (magic >= 0 && magic <= BatchLayout.MAGIC_V2 && length >= BatchLayout.MIN_LENGTH)
        || isZero(next, next + bytes);
  }

  /**
   * Returns true if the checksum of a candidate is correct.
   *
   * @param at the position of the candidate
   * @param size its size in bytes, prefix included, at least {@link StoredChecksum#leastBytes}; the
   *     segment must have these bytes
   * @param magic its magic
   */
  boolean isIntact(long at, long size, byte magic) throws IOException {
    budget -= size;
    StoredChecksum kind = StoredChecksum.of(magic);
    long storedAt = at + kind.offset();
    summed.load(segment, storedAt, Integer.BYTES, segment.size());
    int stored = BigEndian.getInt(summed.buffer(), summed.indexOf(storedAt));
    Checksum crc = kind == StoredChecksum.CRC32C ? crc32c : crc32;
    crc.reset();
    long end = at + size;
    long next = at + kind.coveredFrom();
    while (next < end) {
      if (isKnownZero(next)) { // not read again
        int zeros = (int) Math.min(ZEROS.length, Math.min(zerosEnd, end) - next);
        crc.update(ZEROS, 0, zeros);
        next += zeros;
        continue;
      }
      summed.load(segment, next, 1, end);
      int index = summed.indexOf(next);
      int bytes = (int) Math.min(summed.limit() - index, end - next);
      crc.update(summed.buffer().array(), index, bytes);
      next += bytes;
    }
    return (int) crc.getValue() == stored;
  }

  /** Returns true if all bytes from one position to another, exclusive, are 0. */
  boolean isZero(long from, long to) throws IOException {
    if (!isKnownZero(from)) {
      zerosFrom = from;
      zerosEnd = from;
    }
    zerosEnd = endOfZeros(zerosEnd, to);
    return zerosEnd >= to;
  }

  /**
   * Returns true if a position is within the last run of zeros. The run is kept, so that gigabytes
   * of zeros are read only once.
   */
  private boolean isKnownZero(long at) {
    return at >= zerosFrom && at < zerosEnd;
  }

  /** Returns the position of the first byte that is not 0, at most {@code to}. */
  private long endOfZeros(long from, long to) throws IOException {
    long at = from;
    while (at < to) {
      summed.load(segment, at, 1, to);
      int index = summed.indexOf(at);
      int bytes = (int) Math.min(Math.min(ZEROS.length, summed.limit() - index), to - at);
      byte[] array = summed.buffer().array();
      int zeros = Arrays.mismatch(array, index, index + bytes, ZEROS, 0, bytes);
      if (zeros >= 0) {
        return at + zeros;
      }
      at += bytes;
    }
    return at;
  }
}
