// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.LegacyLayout;
import java.nio.ByteBuffer;

/**
 * The identity of the batch that may be stamped, which is the inspected or the rebuilt batch: what
 * the stamp needs, and a copy of the header that ties the batch to its verdict.
 *
 * <p>The copy has every byte of a header of magic 2. For magic 0 and 1 it has the first 26 bytes,
 * which is the smallest message.
 *
 * <p>Never allocates.
 */
public final class BatchSeal {
  private static final int NONE = -1;

  /** Positions of groups of eight bytes that together cover the header. */
  private static final int[] WORDS = {0, 8, 16, 24, 32, 40, 48, BatchLayout.HEADER_BYTES - 8};

  /** As {@link #WORDS}, for magic 0 and 1. */
  private static final int[] LEGACY_WORDS = {0, 8, 16, LegacyLayout.SMALLEST_BYTES - 8};

  private int bytes = NONE;
  private byte magic;
  private int recordCount;
  private long maxTimestamp;
  private long fixedOffset;

  private final long[] header = new long[WORDS.length];

  BatchSeal() {}

  void clear() {
    bytes = NONE;
  }

  /** Takes the inspected batch at the buffer's position. */
  void take(ByteBuffer buffer, int batchBytes, byte batchMagic, int count, long timestamp) {
    bytes = batchBytes;
    magic = batchMagic;
    recordCount = count;
    maxTimestamp = timestamp;
    fixedOffset = NONE;
    takeFields(buffer);
  }

  /** Takes the rebuilt batch or messages between position and limit, which may be empty. */
  void takeRebuilt(ByteBuffer buffer, byte batchMagic, int count, long onlyOffset) {
    bytes = buffer.remaining();
    magic = batchMagic;
    recordCount = count;
    fixedOffset = onlyOffset;
    if (bytes == 0) {
      return;
    }
    int timestampAt =
        magic == BatchLayout.MAGIC_V2
            ? BatchLayout.MAX_TIMESTAMP_OFFSET
            : LegacyLayout.TIMESTAMP_OFFSET;
    maxTimestamp =
        magic == LegacyLayout.MAGIC_V0
            ? NONE
            : BigEndian.getLong(buffer, buffer.position() + timestampAt);
    takeFields(buffer);
  }

  /**
   * Reads the fields. After a stamp they are read again, so that the batch can be stamped again.
   *
   * @param buffer contains the batch at its position
   */
  public void takeFields(ByteBuffer buffer) {
    int[] words = words();
    int start = buffer.position();
    for (int i = 0; i < words.length; i++) {
      header[i] = BigEndian.getLong(buffer, start + words[i]);
    }
  }

  /** {@return true if there is a batch} */
  boolean isTaken() {
    return bytes != NONE;
  }

  /**
   * {@return true if the buffer holds, from position to limit, the batch that was taken and nothing
   * else}
   *
   * @param buffer any buffer
   */
  public boolean fits(ByteBuffer buffer) {
    return buffer.remaining() == bytes && (bytes == 0 || hasHeader(buffer));
  }

  private int[] words() {
    return magic == BatchLayout.MAGIC_V2 ? WORDS : LEGACY_WORDS;
  }

  private boolean hasHeader(ByteBuffer buffer) {
    int[] words = words();
    int start = buffer.position();
    for (int i = 0; i < words.length; i++) {
      if (BigEndian.getLong(buffer, start + words[i]) != header[i]) {
        return false;
      }
    }
    return true;
  }

  /** {@return the size of the batch, or of all messages, in bytes} */
  public int bytes() {
    return bytes;
  }

  /** {@return the magic, 0 to 2} */
  public byte magic() {
    return magic;
  }

  /** {@return the number of records, or of all messages} */
  public int recordCount() {
    return recordCount;
  }

  /** {@return the maximum timestamp to stamp for create time} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /**
   * {@return true if the batch may get this first offset} Compressed messages of magic 0 already
   * contain their offsets.
   *
   * @param firstOffset the log end offset
   */
  public boolean allows(long firstOffset) {
    return fixedOffset == NONE || fixedOffset == firstOffset;
  }
}
