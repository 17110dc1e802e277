// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

import java.nio.ByteBuffer;

/**
 * A read-only view on a message of magic 0 or 1 that is a batch; nothing is copied or cached.
 *
 * <p>{@link #wrap} points it at another message. Position, limit, mark and order of the buffer are
 * neither used nor changed. As many bytes as the length field says must lie within the buffer's
 * limit, at least 26; they are not checked. Confined to one thread.
 */
public final class LegacyHeader {
  /** What a message without a timestamp has. */
  private static final long NO_TIMESTAMP = -1;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer buffer = NOTHING;
  private int start;

  /** Creates a view on nothing. */
  public LegacyHeader() {}

  /**
   * Points the view at a message.
   *
   * @param source holds the message; kept until {@link #clear}
   * @param at index of the first byte of its prefix
   * @return this view
   */
  public LegacyHeader wrap(ByteBuffer source, int at) {
    buffer = source;
    start = at;
    return this;
  }

  /** Lets go of the buffer. */
  public void clear() {
    buffer = NOTHING;
  }

  /** {@return the offset; of a compressed message that of the last one in it} */
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

  /** {@return the magic} */
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

  /** {@return true if the broker set the timestamp; never in magic 0} */
  public boolean isLogAppendTime() {
    return magic() != LegacyLayout.MAGIC_V0
        && (attributes() & BatchLayout.TIMESTAMP_TYPE_MASK) != 0;
  }

  /** {@return the timestamp in milliseconds since the epoch, -1 if there is none} */
  public long timestamp() {
    return magic() == LegacyLayout.MAGIC_V0
        ? NO_TIMESTAMP
        : BigEndian.getLong(buffer, start + LegacyLayout.TIMESTAMP_OFFSET);
  }

  /**
   * {@return where the message would have to end, in bytes from the start of its prefix, for the
   * size of its key to be in it}
   */
  public int keySizeEnd() {
    return LegacyLayout.keySizeOffset(magic()) + Integer.BYTES;
  }

  /** {@return the size of the key in bytes, negative if it has none} See {@link #keySizeEnd()}. */
  public int keySize() {
    return BigEndian.getInt(buffer, start + LegacyLayout.keySizeOffset(magic()));
  }

  /**
   * {@return where the message would have to end, in bytes from the start of its prefix, for the
   * size of its value to be in it} The size of the key must be.
   */
  public long valueSizeEnd() {
    return keySizeEnd() + Math.max(keySize(), 0L) + Integer.BYTES;
  }

  /**
   * {@return the size of the value in bytes, negative if it has none} See {@link #valueSizeEnd()}.
   */
  public int valueSize() {
    return BigEndian.getInt(buffer, start + (int) valueSizeEnd() - Integer.BYTES);
  }

  /**
   * {@return where the message would have to end, in bytes from the start of its prefix, for key
   * and value to be in it; a size is believed only if it is in it itself}
   */
  public long fieldsEnd() {
    int size = sizeInBytes();
    long end = keySizeEnd();
    end = end > size ? end : valueSizeEnd();
    return end > size ? end : end + Math.max(valueSize(), 0);
  }
}
