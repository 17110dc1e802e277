// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.nio.ByteBuffer;

/**
 * A read-only view on the 61 bytes of a batch header of magic 2; nothing is copied or cached.
 *
 * <p>{@link #wrap} points it at another batch. Position, limit, mark and order of the buffer are
 * neither used nor changed. All 61 bytes must lie within the buffer's limit; they are not checked.
 * Confined to one thread.
 */
public final class BatchHeader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer buffer = NOTHING;
  private int start;

  /** Creates a view on nothing. */
  public BatchHeader() {}

  /**
   * Points the view at a batch.
   *
   * @param source holds the batch; kept until {@link #clear}
   * @param at index of the first byte of the batch
   * @return this view
   */
  public BatchHeader wrap(ByteBuffer source, int at) {
    buffer = source;
    start = at;
    return this;
  }

  /** Lets go of the buffer. */
  public void clear() {
    buffer = NOTHING;
  }

  /** {@return the index in the buffer of the batch's first byte} */
  public int start() {
    return start;
  }

  /** {@return the offset of the first record, as assigned or, from a client, 0} */
  public long baseOffset() {
    return BigEndian.getLong(buffer, start + BatchLayout.BASE_OFFSET_OFFSET);
  }

  /** {@return the number of bytes in the batch behind the length field} */
  public int length() {
    return BatchLayout.lengthAt(buffer, start);
  }

  /** {@return the size of the batch in bytes, prefix included} */
  public int sizeInBytes() {
    return length() + BatchLayout.LOG_OVERHEAD;
  }

  /** {@return the partition leader epoch} */
  public int partitionLeaderEpoch() {
    return BigEndian.getInt(buffer, start + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET);
  }

  /** {@return the magic} */
  public byte magic() {
    return BatchLayout.magicAt(buffer, start);
  }

  /** {@return the stored CRC-32C} */
  public int crc() {
    return BigEndian.getInt(buffer, start + BatchLayout.CRC_OFFSET);
  }

  /** {@return all 16 attribute bits} */
  public short attributes() {
    return BigEndian.getShort(buffer, start + BatchLayout.ATTRIBUTES_OFFSET);
  }

  /** {@return the codec's id, 0 to 7} */
  public int codecId() {
    return attributes() & BatchLayout.CODEC_MASK;
  }

  /** {@return true if the broker set the timestamps: every record has {@link #maxTimestamp}} */
  public boolean isLogAppendTime() {
    return (attributes() & BatchLayout.TIMESTAMP_TYPE_MASK) != 0;
  }

  /** {@return true if the batch is part of a transaction} */
  public boolean isTransactional() {
    return (attributes() & BatchLayout.TRANSACTIONAL_MASK) != 0;
  }

  /** {@return true if the batch holds control records} */
  public boolean isControl() {
    return (attributes() & BatchLayout.CONTROL_MASK) != 0;
  }

  /** {@return the offset of the last record less the base offset} */
  public int lastOffsetDelta() {
    return BigEndian.getInt(buffer, start + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
  }

  /** {@return the offset of the last record; wraps as Kafka's does} */
  public long lastOffset() {
    return baseOffset() + lastOffsetDelta();
  }

  /** {@return what timestamp deltas are relative to, in milliseconds since the epoch} */
  public long baseTimestamp() {
    return BigEndian.getLong(buffer, start + BatchLayout.BASE_TIMESTAMP_OFFSET);
  }

  /** {@return the maximum timestamp, in milliseconds since the epoch} */
  public long maxTimestamp() {
    return BigEndian.getLong(buffer, start + BatchLayout.MAX_TIMESTAMP_OFFSET);
  }

  /** {@return the producer id; negative means none} */
  public long producerId() {
    return BigEndian.getLong(buffer, start + BatchLayout.PRODUCER_ID_OFFSET);
  }

  /** {@return the producer epoch, -1 for none} */
  public short producerEpoch() {
    return BigEndian.getShort(buffer, start + BatchLayout.PRODUCER_EPOCH_OFFSET);
  }

  /** {@return the sequence of the first record, -1 for none} */
  public int baseSequence() {
    return BigEndian.getInt(buffer, start + BatchLayout.BASE_SEQUENCE_OFFSET);
  }

  /** {@return how many records the batch declares} */
  public int recordCount() {
    return BigEndian.getInt(buffer, start + BatchLayout.RECORD_COUNT_OFFSET);
  }
}
