// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static io.github.batchvalidator.internal.format.CrcSplice.CRC32;
import static io.github.batchvalidator.internal.format.CrcSplice.CRC32C;

import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import io.github.batchvalidator.internal.format.LegacyLayout;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
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

  private static final int KEPT_LEGACY_ATTRIBUTES_MASK =
      LegacyLayout.KNOWN_ATTRIBUTES_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK;

  private OffsetStamp() {}

  /**
   * Stamps the batch at the buffer's position, which is not moved.
   *
   * @param buffer the batch that was inspected, unchanged since except by earlier stamps; writable
   * @param verdict of that inspection, which accepted
   * @param firstOffset the log end offset: that of the batch's first record, if its offsets are
   *     without gaps. Of a batch with gaps, as a compacted log may have, it is that of the last
   *     record less the records before it, as in Kafka: such a batch has its offsets already
   * @param partitionLeaderEpoch of the leader that appends; magic 0 and 1 do not have it
   * @param nowMs what a log-append-time topic stores, milliseconds since the epoch; no other topic
   *     uses it. Read under the lock, as Kafka does, times in a log do not fall
   * @return the log end offset behind the batch
   * @throws IllegalStateException if the verdict does not accept, demands a rebuild, or belongs to
   *     another batch than the one at the buffer's position; the buffer is unchanged then
   * @throws IllegalArgumentException if the verdict was not created by this library
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public static long assign(
      ByteBuffer buffer, Verdict verdict, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    MutableVerdict inspected = MutableVerdict.of(verdict);
    if (!inspected.accepted() || inspected.needsRebuild()) {
      throw new IllegalStateException(
          "only an accepted batch that needs no rebuild is stamped, this one is: " + verdict);
    }
    if (!inspected.isOf(buffer)) {
      throw new IllegalStateException("the verdict belongs to another batch");
    }
    long nextOffset = firstOffset + verdict.recordCount();
    boolean logAppendTime = verdict.timestampType() == TimestampType.LOG_APPEND_TIME;
    int typeBit = logAppendTime ? BatchLayout.TIMESTAMP_TYPE_MASK : 0;
    long maxTimestamp = logAppendTime ? nowMs : verdict.maxTimestamp();
    if (verdict.magic() == BatchLayout.MAGIC_V2) {
      stampOffsets(buffer, nextOffset - 1, partitionLeaderEpoch);
      stampTimestamp(buffer, verdict.batchBytes(), typeBit, maxTimestamp);
    } else {
      int offsetAt = buffer.position() + LegacyLayout.OFFSET_OFFSET;
      BigEndian.putLong(buffer, offsetAt, nextOffset - 1);
      if (verdict.magic() != LegacyLayout.MAGIC_V0) {
        stampLegacyTimestamp(buffer, verdict.batchBytes(), typeBit, maxTimestamp);
      }
    }
    inspected.seal(buffer); // the batch may be stamped again, with another offset
    return nextOffset;
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
      ByteBuffer buffer, int size, int typeBit, long timestamp) {
    int attributesAt = buffer.position() + LegacyLayout.ATTRIBUTES_OFFSET;
    int timestampAt = buffer.position() + LegacyLayout.TIMESTAMP_OFFSET;
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
    int crcAt = buffer.position() + LegacyLayout.CRC_OFFSET;
    BigEndian.putInt(buffer, crcAt, BigEndian.getInt(buffer, crcAt) ^ remainder);
  }
}
