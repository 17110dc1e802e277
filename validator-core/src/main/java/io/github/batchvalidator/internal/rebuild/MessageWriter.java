// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.format.RecordLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A writer for messages of magic 0 and 1 (Kafka's {@code LegacyRecord}). Confined to one thread.
 */
final class MessageWriter {

  private final CRC32 checksum = new CRC32();
  private final byte[] head = new byte[LegacyLayout.KEY_SIZE_OFFSET_V1 + Integer.BYTES];
  private final ByteBuffer headFields = ByteBuffer.wrap(head);
  private final byte[] valueSize = new byte[Integer.BYTES];
  private final ByteBuffer valueSizeField = ByteBuffer.wrap(valueSize);

  MessageWriter() {}

  /**
   * Writes a message.
   *
   * @param record the fields of the message, including the timestamp
   * @param magic 0 or 1
   * @param attributes of the message
   * @param offset absolute or relative
   * @return the size in bytes, prefix included; 0 if the message is too large for its length field,
   *     which fails the output
   */
  int write(OutputRecord record, byte magic, int attributes, long offset, Encoder encoder) {
    int headBytes = LegacyLayout.keySizeOffset(magic) + Integer.BYTES;
    long sum = (long) headBytes + Math.max(record.keySize, 0);
    sum += Integer.BYTES + (long) Math.max(record.valueSize, 0);
    if (!encoder.output.canDeclare(sum)) {
      return 0;
    }
    int size = (int) sum;
    putHead(
        headFields,
        magic,
        attributes,
        record.timestamp,
        Math.max(record.keySize, RecordLayout.NULL_LENGTH));
    BigEndian.putLong(headFields, LegacyLayout.OFFSET_OFFSET, offset);
    BigEndian.putInt(headFields, BatchLayout.LENGTH_OFFSET, size - BatchLayout.LOG_OVERHEAD);
    BigEndian.putInt(valueSizeField, 0, Math.max(record.valueSize, RecordLayout.NULL_LENGTH));
    checksum.reset();
    checksum.update(head, LegacyLayout.MAGIC_OFFSET, headBytes - LegacyLayout.MAGIC_OFFSET);
    checksum.update(record.array, record.keyAt, Math.max(record.keySize, 0));
    checksum.update(valueSize, 0, Integer.BYTES);
    checksum.update(record.array, record.valueAt, Math.max(record.valueSize, 0));
    BigEndian.putInt(headFields, LegacyLayout.CRC_OFFSET, (int) checksum.getValue());
    encoder.write(head, 0, headBytes);
    encoder.write(record.array, record.keyAt, record.keySize);
    encoder.write(valueSize, 0, Integer.BYTES);
    encoder.write(record.array, record.valueAt, record.valueSize);
    return size;
  }

  /** Writes the fields around the compressed messages, which fill the rest of {@code whole}. */
  static void putOuter(
      ByteBuffer whole, byte magic, int attributes, long timestamp, Checksums checksums) {
    int size = whole.limit();
    int valueAt = LegacyLayout.outerBytes(magic);
    putHead(whole, magic, attributes, timestamp, RecordLayout.NULL_LENGTH);
    BigEndian.putInt(whole, BatchLayout.LENGTH_OFFSET, size - BatchLayout.LOG_OVERHEAD);
    BigEndian.putInt(whole, valueAt - Integer.BYTES, size - valueAt);
    int covered = LegacyLayout.MAGIC_OFFSET;
    BigEndian.putInt(
        whole, LegacyLayout.CRC_OFFSET, checksums.crc32(whole, covered, size - covered));
  }

  private static void putHead(
      ByteBuffer to, byte magic, int attributes, long timestamp, int keySize) {
    to.put(LegacyLayout.MAGIC_OFFSET, magic);
    to.put(LegacyLayout.ATTRIBUTES_OFFSET, (byte) attributes);
    if (magic != LegacyLayout.MAGIC_V0) {
      BigEndian.putLong(to, LegacyLayout.TIMESTAMP_OFFSET, timestamp);
    }
    BigEndian.putInt(to, LegacyLayout.keySizeOffset(magic), keySize);
  }
}
