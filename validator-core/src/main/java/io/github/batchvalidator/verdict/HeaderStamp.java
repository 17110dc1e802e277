// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import static io.github.batchvalidator.format.CrcSplice.CRC32;
import static io.github.batchvalidator.format.CrcSplice.CRC32C;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.TimestampType;
import java.nio.ByteBuffer;

/**
 * The bytes that {@link io.github.batchvalidator.OffsetStamp} writes. No other class writes into
 * the caller's memory.
 *
 * <p>Offsets beyond {@link Long#MAX_VALUE} wrap, as in Kafka. Never allocates.
 */
public final class HeaderStamp {
  private static final int KEPT_ATTRIBUTES_MASK =
      BatchLayout.KNOWN_ATTRIBUTES_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK;

  private static final int KEPT_LEGACY_ATTRIBUTES_MASK =
      LegacyLayout.KNOWN_ATTRIBUTES_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK;

  private HeaderStamp() {}

  /**
   * Stamps the batch that a verdict belongs to.
   *
   * @param buffer the batch and nothing else, between position and limit
   * @param verdict accepts the batch
   * @param firstOffset the offset of the first record
   * @param partitionLeaderEpoch the leader epoch to store; magic 0 and 1 do not store it
   * @param nowMs the timestamp of a topic with log append time, in milliseconds since the epoch
   * @return the log end offset after the batch
   * @throws IllegalStateException as documented for {@code OffsetStamp.assign}
   */
  public static long write(
      ByteBuffer buffer,
      MutableVerdict verdict,
      long firstOffset,
      int partitionLeaderEpoch,
      long nowMs) {
    BatchSeal batch = verdict.seal();
    if (batch != null && !batch.fits(buffer)) {
      throw new IllegalStateException(
          buffer.remaining() > batch.bytes()
              ? "the buffer holds more than the batch of the verdict"
              : "the verdict belongs to another batch");
    }
    long nextOffset = writeKnown(buffer, verdict, firstOffset, partitionLeaderEpoch, nowMs);
    if (batch != null && batch.bytes() > 0) {
      batch.takeFields(buffer);
    }
    return nextOffset;
  }

  /**
   * As {@link #write}, for a caller that knows that the verdict belongs to this batch. It is not
   * compared with the verdict, and cannot be stamped again.
   *
   * @param buffer the batch and nothing else, between position and limit
   * @param verdict accepts the batch
   * @param firstOffset the offset of the first record
   * @param partitionLeaderEpoch the leader epoch to store; magic 0 and 1 do not store it
   * @param nowMs the timestamp of a topic with log append time, in milliseconds since the epoch
   * @return the log end offset after the batch
   * @throws IllegalStateException if the verdict does not accept a batch, or not with this offset
   */
  public static long writeKnown(
      ByteBuffer buffer,
      MutableVerdict verdict,
      long firstOffset,
      int partitionLeaderEpoch,
      long nowMs) {
    BatchSeal batch = verdict.seal();
    if (batch == null) {
      throw new IllegalStateException("no accepted batch to stamp: " + verdict);
    }
    if (!batch.allows(firstOffset)) {
      throw new IllegalStateException("compressed messages of magic 0 have other offsets");
    }
    if (batch.bytes() == 0) {
      return firstOffset;
    }
    long nextOffset = firstOffset + batch.recordCount();
    boolean logAppendTime = verdict.timestampType() == TimestampType.LOG_APPEND_TIME;
    int typeBit = logAppendTime ? BatchLayout.TIMESTAMP_TYPE_MASK : 0;
    long maxTimestamp = logAppendTime ? nowMs : batch.maxTimestamp();
    if (batch.magic() == BatchLayout.MAGIC_V2) {
      stampOffsets(buffer, nextOffset - 1, partitionLeaderEpoch);
      stampTimestamp(buffer, batch.bytes(), typeBit, maxTimestamp);
    } else if (verdict.rebuilt()) {
      stampMessages(buffer, batch, nextOffset, logAppendTime, nowMs);
    } else {
      stampMessage(buffer, buffer.position(), nextOffset - 1);
      if (batch.magic() != LegacyLayout.MAGIC_V0) {
        stampLegacyTimestamp(buffer, buffer.position(), batch.bytes(), typeBit, maxTimestamp);
      }
    }
    return nextOffset;
  }

  /** Stamps rebuilt messages: one that is compressed, or all that are not. */
  private static void stampMessages(
      ByteBuffer buffer, BatchSeal batch, long nextOffset, boolean logAppendTime, long nowMs) {
    int end = buffer.position() + batch.bytes();
    int first = buffer.position();
    boolean alone = messageBytes(buffer, first) == batch.bytes();
    long offset = alone ? nextOffset - 1 : nextOffset - batch.recordCount();
    for (int start = first; start < end; start += messageBytes(buffer, start)) {
      int bytes = messageBytes(buffer, start);
      stampMessage(buffer, start, offset++);
      if (logAppendTime && batch.magic() != LegacyLayout.MAGIC_V0) {
        stampLegacyTimestamp(buffer, start, bytes, BatchLayout.TIMESTAMP_TYPE_MASK, nowMs);
      }
    }
  }

  private static int messageBytes(ByteBuffer buffer, int start) {
    return BatchLayout.LOG_OVERHEAD + BigEndian.getInt(buffer, start + BatchLayout.LENGTH_OFFSET);
  }

  private static void stampMessage(ByteBuffer buffer, int start, long offset) {
    BigEndian.putLong(buffer, start + LegacyLayout.OFFSET_OFFSET, offset);
  }

  private static void stampOffsets(ByteBuffer buffer, long lastOffset, int partitionLeaderEpoch) {
    int start = buffer.position();
    int lastOffsetDelta = BigEndian.getInt(buffer, start + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    BigEndian.putLong(buffer, start + BatchLayout.BASE_OFFSET_OFFSET, lastOffset - lastOffsetDelta);
    BigEndian.putInt(
        buffer, start + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, partitionLeaderEpoch);
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
    int remainder = CRC32C.continueByByte(0, attributesDifference >> Byte.SIZE);
    remainder = CRC32C.continueByByte(remainder, attributesDifference);
    remainder = CRC32C.advance(remainder, between);
    remainder = CRC32C.continueBy(remainder, timestampDifference);
    int crcAt = buffer.position() + BatchLayout.CRC_OFFSET;
    BigEndian.putInt(
        buffer, crcAt, BigEndian.getInt(buffer, crcAt) ^ CRC32C.advance(remainder, behind));
  }

  /** As {@link #stampTimestamp}, of magic 1, where all that changes lies side by side. */
  private static void stampLegacyTimestamp(
      ByteBuffer buffer, int start, int size, int typeBit, long timestamp) {
    int attributesAt = start + LegacyLayout.ATTRIBUTES_OFFSET;
    int timestampAt = start + LegacyLayout.TIMESTAMP_OFFSET;
    byte oldAttributes = buffer.get(attributesAt);
    long oldTimestamp = BigEndian.getLong(buffer, timestampAt);
    if ((oldAttributes & BatchLayout.TIMESTAMP_TYPE_MASK) == typeBit && oldTimestamp == timestamp) {
      return;
    }
    byte attributes = (byte) ((oldAttributes & KEPT_LEGACY_ATTRIBUTES_MASK) | typeBit);
    buffer.put(attributesAt, attributes);
    BigEndian.putLong(buffer, timestampAt, timestamp);
    int remainder = CRC32.continueByByte(0, oldAttributes ^ attributes);
    remainder = CRC32.continueBy(remainder, oldTimestamp ^ timestamp);
    remainder = CRC32.advance(remainder, size - LegacyLayout.TIMESTAMP_OFFSET - Long.BYTES);
    int crcAt = start + LegacyLayout.CRC_OFFSET;
    BigEndian.putInt(buffer, crcAt, BigEndian.getInt(buffer, crcAt) ^ remainder);
  }
}
