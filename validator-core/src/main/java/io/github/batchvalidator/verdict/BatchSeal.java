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

  private int bytes = NONE;
  private byte magic;
  private int recordCount;
  private long maxTimestamp;
  private long fixedOffset;
  private boolean bound;

  /** The header in groups of eight bytes. The last group overlaps the one before it. */
  private final long[] header = new long[(BatchLayout.HEADER_BYTES + Long.BYTES - 1) / Long.BYTES];

  BatchSeal() {}

  void clear() {
    bytes = NONE;
  }

  /** Takes an inspected batch, without its header. It fits no buffer until that is read too. */
  void take(int batchBytes, byte batchMagic, int count, long timestamp) {
    bytes = batchBytes;
    magic = batchMagic;
    recordCount = count;
    maxTimestamp = timestamp;
    fixedOffset = NONE;
    bound = false;
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
    bound = true;
    if (magic == BatchLayout.MAGIC_V2) {
      takeHeader(buffer, BatchLayout.HEADER_BYTES);
    } else {
      takeHeader(buffer, LegacyLayout.SMALLEST_BYTES);
    }
  }

  /** Each caller passes a constant, so that the JIT unrolls the loop. */
  private void takeHeader(ByteBuffer buffer, int headerBytes) {
    int start = buffer.position();
    int last = headerBytes - Long.BYTES;
    int word = 0;
    for (int at = 0; at < last; at += Long.BYTES) {
      header[word++] = BigEndian.getLong(buffer, start + at);
    }
    header[word] = BigEndian.getLong(buffer, start + last);
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
    return buffer.remaining() == bytes && (bytes == 0 || (bound && hasHeader(buffer)));
  }

  private boolean hasHeader(ByteBuffer buffer) {
    return magic == BatchLayout.MAGIC_V2
        ? hasHeader(buffer, BatchLayout.HEADER_BYTES)
        : hasHeader(buffer, LegacyLayout.SMALLEST_BYTES);
  }

  /** As {@link #takeHeader}. */
  private boolean hasHeader(ByteBuffer buffer, int headerBytes) {
    int start = buffer.position();
    int last = headerBytes - Long.BYTES;
    int word = 0;
    for (int at = 0; at < last; at += Long.BYTES) {
      if (BigEndian.getLong(buffer, start + at) != header[word++]) {
        return false;
      }
    }
    return BigEndian.getLong(buffer, start + last) == header[word];
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
