// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A copy of the fields of a batch header of magic 2 (61 bytes).
 *
 * <p>The fields are copied for two reasons: each is read several times, and a reference to the
 * buffer would cost GC write barriers in every batch. The buffer's position, limit, mark and order
 * are neither used nor changed. Confined to one thread.
 */
public final class BatchHeader {
  private int start;
  private long baseOffset;
  private int length;
  private int partitionLeaderEpoch;
  private byte magic;
  private int crc;
  private short attributes;
  private int lastOffsetDelta;
  private long baseTimestamp;
  private long maxTimestamp;
  private long producerId;
  private short producerEpoch;
  private int baseSequence;
  private int recordCount;

  /** The header of a batch whose buffer has no accessible array. */
  private final byte[] copy = new byte[BatchLayout.HEADER_BYTES];

  /** Creates a header without fields; {@link #read} sets them. */
  public BatchHeader() {}

  /**
   * Reads the header of a batch. If the batch is shorter than a header of magic 2, as in magic 0
   * and 1, this reads only base offset, length and magic. The other fields then keep the values of
   * the previous batch.
   *
   * @param source the buffer with the complete batch; not kept
   * @param at index of the batch's first byte
   * @return this header
   */
  public BatchHeader read(ByteBuffer source, int at) {
    return read(source, at, BatchLayout.lengthAt(source, at) + BatchLayout.LOG_OVERHEAD);
  }

  /**
   * Reads the header as {@link #read(ByteBuffer, int)} does, of a batch whose size was checked. The
   * length field is not read again, because the caller's bytes may have changed since.
   *
   * @param source the buffer with the complete batch; not kept
   * @param at index of the batch's first byte
   * @param sizeInBytes the size of the batch, prefix included
   * @return this header
   */
  public BatchHeader read(ByteBuffer source, int at, int sizeInBytes) {
    start = at;
    length = sizeInBytes - BatchLayout.LOG_OVERHEAD;
    int most = Math.min(sizeInBytes, BatchLayout.HEADER_BYTES);
    int bytes = Math.max(most, BatchLayout.PREFIX_BYTES);
    Objects.checkFromIndexSize(at, bytes, source.limit()); // an array may have more
    if (source.hasArray()) {
      readFields(source.array(), source.arrayOffset() + at);
    } else {
      source.get(at, copy, 0, bytes);
      readFields(copy, 0);
    }
    return this;
  }

  /**
   * Reads an array. Numbers of a buffer take so much of the JIT's graph that it stops inlining
   * among them, where a caller has inlined all that leads here.
   */
  private void readFields(byte[] source, int at) {
    baseOffset = BigEndian.getLong(source, at + BatchLayout.BASE_OFFSET_OFFSET);
    magic = source[at + BatchLayout.MAGIC_OFFSET];
    if (length >= BatchLayout.HEADER_BYTES - BatchLayout.LOG_OVERHEAD) {
      partitionLeaderEpoch =
          BigEndian.getInt(source, at + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET);
      crc = BigEndian.getInt(source, at + BatchLayout.CRC_OFFSET);
      attributes = BigEndian.getShort(source, at + BatchLayout.ATTRIBUTES_OFFSET);
      lastOffsetDelta = BigEndian.getInt(source, at + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
      baseTimestamp = BigEndian.getLong(source, at + BatchLayout.BASE_TIMESTAMP_OFFSET);
      maxTimestamp = BigEndian.getLong(source, at + BatchLayout.MAX_TIMESTAMP_OFFSET);
      producerId = BigEndian.getLong(source, at + BatchLayout.PRODUCER_ID_OFFSET);
      producerEpoch = BigEndian.getShort(source, at + BatchLayout.PRODUCER_EPOCH_OFFSET);
      baseSequence = BigEndian.getInt(source, at + BatchLayout.BASE_SEQUENCE_OFFSET);
      recordCount = BigEndian.getInt(source, at + BatchLayout.RECORD_COUNT_OFFSET);
    }
  }

  /** {@return the index of the batch's first byte in the buffer} */
  public int start() {
    return start;
  }

  /** {@return the offset of the first record: 0 from a client, otherwise as assigned} */
  public long baseOffset() {
    return baseOffset;
  }

  /** {@return the number of bytes after the length field} */
  public int length() {
    return length;
  }

  /** {@return the size of the batch in bytes, prefix included} */
  public int sizeInBytes() {
    return length + BatchLayout.LOG_OVERHEAD;
  }

  /** {@return the epoch of the partition leader that stored the batch} */
  public int partitionLeaderEpoch() {
    return partitionLeaderEpoch;
  }

  /** {@return the magic as stored} */
  public byte magic() {
    return magic;
  }

  /** {@return the stored CRC-32C} */
  public int crc() {
    return crc;
  }

  /** {@return all 16 attribute bits} */
  public short attributes() {
    return attributes;
  }

  /** {@return the codec's id, 0 to 7} */
  public int codecId() {
    return attributes & BatchLayout.CODEC_MASK;
  }

  /**
   * {@return true if the broker set the timestamps: every record then has {@link #maxTimestamp}}
   */
  public boolean isLogAppendTime() {
    return (attributes & BatchLayout.TIMESTAMP_TYPE_MASK) != 0;
  }

  /** {@return true if the batch is part of a transaction} */
  public boolean isTransactional() {
    return (attributes & BatchLayout.TRANSACTIONAL_MASK) != 0;
  }

  /** {@return true if the batch holds control records} */
  public boolean isControl() {
    return (attributes & BatchLayout.CONTROL_MASK) != 0;
  }

  /** {@return the offset of the last record minus the base offset} */
  public int lastOffsetDelta() {
    return lastOffsetDelta;
  }

  /** {@return the offset of the last record; overflow wraps, as in Kafka} */
  public long lastOffset() {
    return baseOffset + lastOffsetDelta;
  }

  /** {@return the base of the timestamp deltas, in milliseconds since the epoch} */
  public long baseTimestamp() {
    return baseTimestamp;
  }

  /** {@return the maximum timestamp, in milliseconds since the epoch} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return the producer id; negative means none} */
  public long producerId() {
    return producerId;
  }

  /** {@return the producer epoch, -1 for none} */
  public short producerEpoch() {
    return producerEpoch;
  }

  /** {@return the sequence of the first record, -1 for none} */
  public int baseSequence() {
    return baseSequence;
  }

  /** {@return the number of records that the batch declares} */
  public int recordCount() {
    return recordCount;
  }
}
