// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.verdict;

import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import io.github.batchvalidator.internal.format.LegacyLayout;
import java.nio.ByteBuffer;

/**
 * The identity of the batch that may be stamped, which is the inspected or the rebuilt batch: what
 * the stamp needs, and the header fields that tie the batch to its verdict.
 *
 * <p>The fields are base offset, length, leader epoch, magic, CRC and attributes; for magic 2 also
 * last offset delta, producer id, sequence and record count.
 *
 * <p>Never allocates.
 */
public final class BatchSeal {
  private static final int NONE = -1;

  /** Length and leader epoch; for magic 0 and 1 length and CRC. */
  private static final int LENGTH_AT = BatchLayout.LENGTH_OFFSET;

  /** Magic, CRC and attributes; for magic 0 and 1 magic, attributes and six more bytes. */
  private static final int MAGIC_AT = BatchLayout.MAGIC_OFFSET;

  private static final int LAST_OFFSET_DELTA_AT = BatchLayout.LAST_OFFSET_DELTA_OFFSET;
  private static final int PRODUCER_ID_AT = BatchLayout.PRODUCER_ID_OFFSET;

  /** Sequence and record count. */
  private static final int SEQUENCE_AT = BatchLayout.BASE_SEQUENCE_OFFSET;

  private int bytes = NONE;
  private byte magic;
  private int recordCount;
  private long maxTimestamp;
  private long fixedOffset;

  private long baseOffset;
  private long length;
  private long magicAndMore;
  private int lastOffsetDelta;
  private long producerId;
  private long sequence;

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
    int start = buffer.position();
    baseOffset = BigEndian.getLong(buffer, start);
    length = BigEndian.getLong(buffer, start + LENGTH_AT);
    magicAndMore = BigEndian.getLong(buffer, start + MAGIC_AT);
    if (magic == BatchLayout.MAGIC_V2) {
      lastOffsetDelta = BigEndian.getInt(buffer, start + LAST_OFFSET_DELTA_AT);
      producerId = BigEndian.getLong(buffer, start + PRODUCER_ID_AT);
      sequence = BigEndian.getLong(buffer, start + SEQUENCE_AT);
    }
  }

  /** {@return true if there is a batch} */
  boolean isTaken() {
    return bytes != NONE;
  }

  /**
   * {@return true if the batch at the buffer's position is the one that was taken}
   *
   * @param buffer any buffer
   */
  public boolean fits(ByteBuffer buffer) {
    if (bytes <= 0) {
      return bytes == 0 && !buffer.hasRemaining();
    }
    int start = buffer.position();
    return buffer.remaining() >= bytes
        && BigEndian.getLong(buffer, start) == baseOffset
        && BigEndian.getLong(buffer, start + LENGTH_AT) == length
        && BigEndian.getLong(buffer, start + MAGIC_AT) == magicAndMore
        && (magic != BatchLayout.MAGIC_V2 || fitsMagic2(buffer, start));
  }

  private boolean fitsMagic2(ByteBuffer buffer, int start) {
    return BigEndian.getInt(buffer, start + LAST_OFFSET_DELTA_AT) == lastOffsetDelta
        && BigEndian.getLong(buffer, start + PRODUCER_ID_AT) == producerId
        && BigEndian.getLong(buffer, start + SEQUENCE_AT) == sequence;
  }

  /** {@return the size of the batch, or of all messages, in bytes} */
  public int bytes() {
    return bytes;
  }

  /** {@return the magic, 0 to 2} */
  public byte magic() {
    return magic;
  }

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
