// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.nio.ByteBuffer;

/**
 * The fields of an outer message of magic 0 or 1, which is one batch. All of them are read at once,
 * so that they fit each other even if the host changes its buffer meanwhile.
 *
 * <p>The buffer's position, limit, mark and order are neither used nor changed. Confined to one
 * thread.
 */
public final class LegacyHeader {
  /** The timestamp of a message without one. */
  private static final long NO_TIMESTAMP = -1;

  private long offset;
  private int sizeInBytes;
  private int crc;
  private byte magic;
  private byte attributes;
  private long timestamp;
  private int keySize;
  private long valueSizeEnd;
  private int valueSize;

  /** Creates a header without fields; {@link #read} sets them. */
  public LegacyHeader() {}

  /**
   * Reads the fields of a message.
   *
   * @param source the buffer with the complete message, of at least 26 bytes; not kept
   * @param at index of the first byte of the message's prefix
   * @return this header
   */
  public LegacyHeader read(ByteBuffer source, int at) {
    int bytes = BatchLayout.lengthAt(source, at) + BatchLayout.LOG_OVERHEAD;
    offset = BatchLayout.baseOffsetAt(source, at);
    sizeInBytes = bytes;
    crc = BigEndian.getInt(source, at + LegacyLayout.CRC_OFFSET);
    magic = BatchLayout.magicAt(source, at);
    attributes = source.get(at + LegacyLayout.ATTRIBUTES_OFFSET);
    timestamp =
        magic == LegacyLayout.MAGIC_V0
            ? NO_TIMESTAMP
            : BigEndian.getLong(source, at + LegacyLayout.TIMESTAMP_OFFSET);
    keySize =
        keySizeEnd() > bytes ? 0 : BigEndian.getInt(source, at + keySizeEnd() - Integer.BYTES);
    valueSizeEnd = keySizeEnd() + Math.max(keySize, 0L) + Integer.BYTES;
    valueSize =
        valueSizeEnd > bytes
            ? 0
            : BigEndian.getInt(source, at + (int) valueSizeEnd - Integer.BYTES);
    return this;
  }

  /** {@return the offset; in a compressed message, the offset of the last inner message} */
  public long offset() {
    return offset;
  }

  /** {@return the size of the message in bytes, prefix included} */
  public int sizeInBytes() {
    return sizeInBytes;
  }

  /** {@return the stored CRC-32} */
  public int crc() {
    return crc;
  }

  /** {@return the magic as stored} */
  public byte magic() {
    return magic;
  }

  /** {@return all 8 attribute bits} */
  public byte attributes() {
    return attributes;
  }

  /** {@return the codec's id, 0 to 7} */
  public int codecId() {
    return attributes & BatchLayout.CODEC_MASK;
  }

  /** {@return true if the broker set the timestamp; always false in magic 0} */
  public boolean isLogAppendTime() {
    return magic != LegacyLayout.MAGIC_V0 && (attributes & BatchLayout.TIMESTAMP_TYPE_MASK) != 0;
  }

  /** {@return the timestamp in milliseconds since the epoch, -1 for none} */
  public long timestamp() {
    return timestamp;
  }

  /**
   * {@return the end of the key size field, in bytes from the start of the prefix} The message may
   * end earlier.
   */
  public int keySizeEnd() {
    return LegacyLayout.keySizeOffset(magic) + Integer.BYTES;
  }

  /** {@return the size of the key in bytes, negative for a null key, 0 if the field is cut off} */
  public int keySize() {
    return keySize;
  }

  /**
   * {@return the end of the value size field, in bytes from the start of the prefix} The message
   * may end earlier, but not before {@link #keySizeEnd()}.
   */
  public long valueSizeEnd() {
    return valueSizeEnd;
  }

  /** {@return the size of the value in bytes, negative for null, 0 if the field is cut off} */
  public int valueSize() {
    return valueSize;
  }

  /**
   * {@return the end of the value, in bytes from the start of the prefix} If a size field ends
   * beyond the message, returns the end of that field, which is not read.
   */
  public long fieldsEnd() {
    if (keySizeEnd() > sizeInBytes) {
      return keySizeEnd();
    }
    return valueSizeEnd > sizeInBytes ? valueSizeEnd : valueSizeEnd + Math.max(valueSize, 0);
  }
}
