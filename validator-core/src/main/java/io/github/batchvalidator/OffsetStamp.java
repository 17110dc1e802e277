// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.Crc32cSplice;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/**
 * Writes what an append decides into the header of an accepted batch: the one place that writes
 * into the caller's memory, made for the inside of the partition lock.
 *
 * <p>A batch whose stored checksum is right gets exactly the bytes that Kafka's in-place path
 * writes. The checksum is spliced, not computed anew, so that the cost does not depend on the size
 * of the batch and a wrong checksum stays wrong. Never allocates. Safe for any thread that owns the
 * buffer.
 */
public final class OffsetStamp {
  private static final int KEPT_ATTRIBUTES_MASK =
      BatchLayout.KNOWN_ATTRIBUTES_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK;

  private OffsetStamp() {}

  /**
   * Stamps the batch at the buffer's position, which is not moved.
   *
   * @param buffer the batch that was inspected, unchanged since; writable
   * @param verdict of that inspection, which accepted
   * @param firstOffset the log end offset: that of the batch's first record
   * @param partitionLeaderEpoch of the leader that appends
   * @param nowMs the {@code nowMs} of the inspection; what a log-append-time topic stores
   * @return the log end offset behind the batch
   * @throws IllegalStateException if the verdict does not accept
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public static long assign(
      ByteBuffer buffer, Verdict verdict, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    if (!verdict.accepted()) {
      throw new IllegalStateException("only an accepted batch is stamped, this one is: " + verdict);
    }
    int start = buffer.position();
    long nextOffset = firstOffset + verdict.recordCount();
    int lastOffsetDelta = BigEndian.getInt(buffer, start + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    BigEndian.putLong(
        buffer, start + BatchLayout.BASE_OFFSET_OFFSET, nextOffset - 1 - lastOffsetDelta);
    BigEndian.putInt(
        buffer, start + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, partitionLeaderEpoch);
    boolean logAppendTime = verdict.timestampType() == TimestampType.LOG_APPEND_TIME;
    stampTimestamp(
        buffer,
        verdict.batchBytes(),
        logAppendTime ? BatchLayout.TIMESTAMP_TYPE_MASK : 0,
        logAppendTime ? nowMs : verdict.maxTimestamp());
    return nextOffset;
  }

  /** Writes nothing if both are as they should be; else unknown attribute bits go, as in Kafka. */
  private static void stampTimestamp(ByteBuffer buffer, int size, int typeBit, long maxTimestamp) {
    int attributesAt = buffer.position() + BatchLayout.ATTRIBUTES_OFFSET;
    int timestampAt = buffer.position() + BatchLayout.MAX_TIMESTAMP_OFFSET;
    short oldAttributes = BigEndian.getShort(buffer, attributesAt);
    long oldTimestamp = BigEndian.getLong(buffer, timestampAt);
    if ((oldAttributes & BatchLayout.TIMESTAMP_TYPE_MASK) == typeBit
        && oldTimestamp == maxTimestamp) {
      return;
    }
    short attributes = (short) ((oldAttributes & KEPT_ATTRIBUTES_MASK) | typeBit);
    BigEndian.putShort(buffer, attributesAt, attributes);
    BigEndian.putLong(buffer, timestampAt, maxTimestamp);
    spliceChecksum(buffer, size, oldAttributes ^ attributes, oldTimestamp ^ maxTimestamp);
  }

  private static void spliceChecksum(
      ByteBuffer buffer, int size, int attributesDifference, long timestampDifference) {
    int between = BatchLayout.MAX_TIMESTAMP_OFFSET - BatchLayout.ATTRIBUTES_OFFSET - Short.BYTES;
    int behind = size - BatchLayout.MAX_TIMESTAMP_OFFSET - Long.BYTES;
    int remainder = Crc32cSplice.continueByByte(0, attributesDifference >> Byte.SIZE);
    remainder = Crc32cSplice.continueByByte(remainder, attributesDifference);
    remainder = Crc32cSplice.advance(remainder, between);
    remainder = Crc32cSplice.continueBy(remainder, timestampDifference);
    int crcAt = buffer.position() + BatchLayout.CRC_OFFSET;
    BigEndian.putInt(
        buffer, crcAt, BigEndian.getInt(buffer, crcAt) ^ Crc32cSplice.advance(remainder, behind));
  }
}
