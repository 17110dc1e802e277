// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

import java.nio.ByteBuffer;

/**
 * A read-only view of an outer message of magic 0 or 1, which is one batch. Nothing is copied or
 * cached.
 *
 * <p>{@link #wrap} points the view at another message. The buffer's position, limit, mark and order
 * are neither used nor changed. The whole message must be within the buffer's limit and have at
 * least 26 bytes; this is not checked. Confined to one thread.
 */
public final class LegacyHeader {
  /** The timestamp of a message without one. */
  private static final long NO_TIMESTAMP = -1;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer buffer = NOTHING;
  private int start;

  public LegacyHeader() {}

  /**
   * Points the view at a message.
   *
   * @param source the buffer with the message; kept until {@link #clear}
   * @param at index of the first byte of the message's prefix
   * @return this view
   */
  public LegacyHeader wrap(ByteBuffer source, int at) {
    buffer = source;
    start = at;
    return this;
  }

  /** Drops the buffer. */
  public void clear() {
    buffer = NOTHING;
  }

  /** {@return the offset; in a compressed message, the offset of the last inner message} */
  public long offset() {
    return BatchLayout.baseOffsetAt(buffer, start);
  }

  /** {@return the size of the message in bytes, prefix included} */
  public int sizeInBytes() {
    return BatchLayout.lengthAt(buffer, start) + BatchLayout.LOG_OVERHEAD;
  }

  /** {@return the stored CRC-32} */
  public int crc() {
    return BigEndian.getInt(buffer, start + LegacyLayout.CRC_OFFSET);
  }

  public byte magic() {
    return BatchLayout.magicAt(buffer, start);
  }

  /** {@return all 8 attribute bits} */
  public byte attributes() {
    return buffer.get(start + LegacyLayout.ATTRIBUTES_OFFSET);
  }

  /** {@return the codec's id, 0 to 7} */
  public int codecId() {
    return attributes() & BatchLayout.CODEC_MASK;
  }

  /** {@return true if the broker set the timestamp; always false in magic 0} */
  public boolean isLogAppendTime() {
    return magic() != LegacyLayout.MAGIC_V0
        && (attributes() & BatchLayout.TIMESTAMP_TYPE_MASK) != 0;
  }

  /** {@return the timestamp in milliseconds since the epoch, -1 for none} */
  public long timestamp() {
    return magic() == LegacyLayout.MAGIC_V0
        ? NO_TIMESTAMP
        : BigEndian.getLong(buffer, start + LegacyLayout.TIMESTAMP_OFFSET);
  }

  /**
   * {@return the end of the key size field, in bytes from the start of the prefix} The message may
   * end earlier.
   */
  public int keySizeEnd() {
    return LegacyLayout.keySizeOffset(magic()) + Integer.BYTES;
  }

  /**
   * {@return the size of the key in bytes, negative for a null key} Requires that {@link
   * #keySizeEnd()} is within the message.
   */
  public int keySize() {
    return BigEndian.getInt(buffer, start + LegacyLayout.keySizeOffset(magic()));
  }

  /**
   * {@return the end of the value size field, in bytes from the start of the prefix} The message
   * may end earlier, but not before {@link #keySizeEnd()}.
   */
  public long valueSizeEnd() {
    return keySizeEnd() + Math.max(keySize(), 0L) + Integer.BYTES;
  }

  /**
   * {@return the size of the value in bytes, negative for a null value} Requires that {@link
   * #valueSizeEnd()} is within the message.
   */
  public int valueSize() {
    return BigEndian.getInt(buffer, start + (int) valueSizeEnd() - Integer.BYTES);
  }

  /**
   * {@return the end of the value, in bytes from the start of the prefix} If a size field ends
   * beyond the message, returns the end of that field, which is not read.
   */
  public long fieldsEnd() {
    int size = sizeInBytes();
    long end = keySizeEnd();
    end = end > size ? end : valueSizeEnd();
    return end > size ? end : end + Math.max(valueSize(), 0);
  }
}
