// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Messages of magic 0 and 1 as bytes, written field by field so that any field can be a lie. */
final class LegacyBytes {
  static final int OFFSET_AND_SIZE = 12;
  static final int CRC_AT = 0;
  static final int MAGIC_AT = 4;
  static final int ATTRIBUTES_AT = 5;
  static final int TIMESTAMP_AT = 6;
  static final int CRC_OF_ENTRY = OFFSET_AND_SIZE + CRC_AT;

  private LegacyBytes() {}

  /** Returns a message without offset and size, with a right CRC; magic 0 has no timestamp. */
  static byte[] message(
      int magic, int attributes, long timestamp, byte @Nullable [] key, byte @Nullable [] value) {
    int keyAt = keyAt(magic);
    ByteBuffer message =
        ByteBuffer.allocate(keyAt + 2 * Integer.BYTES + length(key) + length(value));
    message.putInt(0).put((byte) magic).put((byte) attributes);
    if (magic > 0) {
      message.putLong(timestamp);
    }
    put(message, key);
    put(message, value);
    return fixCrc(message.array());
  }

  /** Returns where the key size lies in a message. */
  static int keyAt(int magic) {
    return magic > 0 ? TIMESTAMP_AT + Long.BYTES : TIMESTAMP_AT;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void put(ByteBuffer message, byte @Nullable [] bytes) {
    message.putInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      message.put(bytes);
    }
  }

  /** Makes the CRC of a message fit its bytes; returns the same array. */
  static byte[] fixCrc(byte[] message) {
    if (message.length > MAGIC_AT) {
      CRC32 crc = new CRC32();
      crc.update(message, MAGIC_AT, message.length - MAGIC_AT);
      ByteBuffer.wrap(message).putInt(CRC_AT, (int) crc.getValue());
    }
    return message;
  }

  /** Returns a message behind its offset and a size. */
  static byte[] entry(long offset, int size, byte[] message) {
    return ByteBuffer.allocate(OFFSET_AND_SIZE + message.length)
        .putLong(offset)
        .putInt(size)
        .put(message)
        .array();
  }

  static byte[] entry(long offset, byte[] message) {
    return entry(offset, message.length, message);
  }

  /** Returns the entry of a wrapper around entries. */
  static byte[] wrapper(long offset, int magic, int attributes, long timestamp, byte[] stream) {
    return entry(offset, message(magic, attributes, timestamp, null, stream));
  }

  static byte[] join(Iterable<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
