// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.verdict;

import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import java.nio.ByteBuffer;

/**
 * The header fields that tie a verdict to its batch: base offset, length, leader epoch, magic, CRC
 * and attributes; for magic 2 also last offset delta, producer id, sequence and record count.
 *
 * <p>Never allocates.
 */
final class BatchSeal {
  /** Length and leader epoch; for magic 0 and 1 length and CRC. */
  private static final int LENGTH_AT = BatchLayout.LENGTH_OFFSET;

  /** Magic, CRC and attributes; for magic 0 and 1 magic, attributes and six bytes more. */
  private static final int MAGIC_AT = BatchLayout.MAGIC_OFFSET;

  private static final int LAST_OFFSET_DELTA_AT = BatchLayout.LAST_OFFSET_DELTA_OFFSET;
  private static final int PRODUCER_ID_AT = BatchLayout.PRODUCER_ID_OFFSET;

  /** Sequence and record count. */
  private static final int SEQUENCE_AT = BatchLayout.BASE_SEQUENCE_OFFSET;

  private long baseOffset;
  private long length;
  private long magicAndMore;
  private int lastOffsetDelta;
  private long producerId;
  private long sequence;

  /** Notes the fields of the whole batch at the buffer's position. */
  void take(ByteBuffer buffer, byte magic) {
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

  /** {@return true if the fields are those of the batch at the buffer's position} */
  boolean fits(ByteBuffer buffer, int bytes, byte magic) {
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
}
