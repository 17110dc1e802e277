// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.nio.ByteBuffer;

/**
 * The field offsets of a record batch (KIP-98, Kafka's {@code DefaultRecordBatch}). Offsets are in
 * bytes from the start of the batch. Numbers are big-endian. The first 17 bytes are the same in
 * every magic, except that magic 0 and 1 store a CRC-32 at 12.
 *
 * <pre>
 *   0            8        12       16    17       21    23
 *  +------------+--------+--------+-----+--------+-----+
 *  | base       | length | leader |magic| CRC-   |attri|
 *  | offset     | of rest| epoch  | = 2 | 32C    |butes|
 *  +------------+--------+--------+-----+--------+-----+
 *   23       27           35           43           51    53      57      61
 *  +--------+------------+------------+------------+-----+-------+-------+----
 *  | last   | base       | max        | producer   |prod.| base  |record |records,
 *  | offset | timestamp  | timestamp  | id         |epoch| se-   |count  |plain or
 *  | delta  | ms         | ms         |            |     | quence|       |one stream
 *  +--------+------------+------------+------------+-----+-------+-------+----
 * </pre>
 *
 * <p>The CRC covers everything from the attributes to the end of the batch. Base offset and
 * partition leader epoch can therefore change without a new CRC.
 */
public final class BatchLayout {
  /** Base offset, 8 bytes. */
  public static final int BASE_OFFSET_OFFSET = 0;

  /** Number of bytes after this field, 4 bytes. */
  public static final int LENGTH_OFFSET = BASE_OFFSET_OFFSET + Long.BYTES;

  /** Partition leader epoch, 4 bytes; the CRC-32 in magic 0 and 1. */
  public static final int PARTITION_LEADER_EPOCH_OFFSET = LENGTH_OFFSET + Integer.BYTES;

  /** Magic, 1 byte. */
  public static final int MAGIC_OFFSET = PARTITION_LEADER_EPOCH_OFFSET + Integer.BYTES;

  /** CRC-32C, 4 bytes. */
  public static final int CRC_OFFSET = MAGIC_OFFSET + Byte.BYTES;

  /** Attributes, 2 bytes; the first field that the CRC covers. */
  public static final int ATTRIBUTES_OFFSET = CRC_OFFSET + Integer.BYTES;

  /** Last offset delta, 4 bytes. */
  public static final int LAST_OFFSET_DELTA_OFFSET = ATTRIBUTES_OFFSET + Short.BYTES;

  /** Base timestamp, 8 bytes, milliseconds since the epoch. */
  public static final int BASE_TIMESTAMP_OFFSET = LAST_OFFSET_DELTA_OFFSET + Integer.BYTES;

  /** Max timestamp, 8 bytes, milliseconds since the epoch. */
  public static final int MAX_TIMESTAMP_OFFSET = BASE_TIMESTAMP_OFFSET + Long.BYTES;

  /** Producer id, 8 bytes, -1 for none. */
  public static final int PRODUCER_ID_OFFSET = MAX_TIMESTAMP_OFFSET + Long.BYTES;

  /** Producer epoch, 2 bytes, -1 for none. */
  public static final int PRODUCER_EPOCH_OFFSET = PRODUCER_ID_OFFSET + Long.BYTES;

  /** Base sequence, 4 bytes, -1 for none. */
  public static final int BASE_SEQUENCE_OFFSET = PRODUCER_EPOCH_OFFSET + Short.BYTES;

  /** Record count, 4 bytes. */
  public static final int RECORD_COUNT_OFFSET = BASE_SEQUENCE_OFFSET + Integer.BYTES;

  /** Size of the header; the records start here. */
  public static final int HEADER_BYTES = RECORD_COUNT_OFFSET + Integer.BYTES;

  /** Size of the base offset and the length field, which the length field does not count. */
  public static final int LOG_OVERHEAD = LENGTH_OFFSET + Integer.BYTES;

  /** Number of bytes that contain the size and the magic of any batch. */
  public static final int PREFIX_BYTES = MAGIC_OFFSET + Byte.BYTES;

  /** Smallest value of the length field that any magic allows: an empty message of magic 0. */
  public static final int MIN_LENGTH = 14;

  /** Largest value of the length field with which a batch still fits a buffer. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - LOG_OVERHEAD;

  /** The magic of the layout above. */
  public static final byte MAGIC_V2 = 2;

  /** Attribute bits 0 to 2: the codec's id. */
  public static final int CODEC_MASK = 0x07;

  /** Attribute bit 3: set if the broker sets the timestamps. */
  public static final int TIMESTAMP_TYPE_MASK = 0x08;

  /** Attribute bit 4: set if the batch is part of a transaction. */
  public static final int TRANSACTIONAL_MASK = 0x10;

  /** Attribute bit 5: set if the batch holds control records. */
  public static final int CONTROL_MASK = 0x20;

  /** Attribute bit 6: set if the base timestamp holds the delete horizon (KIP-534). */
  public static final int DELETE_HORIZON_MASK = 0x40;

  /** All attribute bits that magic 2 defines. */
  public static final int KNOWN_ATTRIBUTES_MASK =
      CODEC_MASK | TIMESTAMP_TYPE_MASK | TRANSACTIONAL_MASK | CONTROL_MASK | DELETE_HORIZON_MASK;

  private BatchLayout() {}

  /**
   * Reads the length field of the batch at {@code start}. 12 bytes must be readable there.
   *
   * @param buffer the buffer with the batch
   * @param start index of the batch's first byte
   * @return the field
   */
  public static int lengthAt(ByteBuffer buffer, int start) {
    return BigEndian.getInt(buffer, start + LENGTH_OFFSET);
  }

  /**
   * Reads the magic of the batch at {@code start}. 17 bytes must be readable there.
   *
   * @param buffer the buffer with the batch
   * @param start index of the batch's first byte
   * @return the field
   */
  public static byte magicAt(ByteBuffer buffer, int start) {
    return buffer.get(start + MAGIC_OFFSET);
  }

  /**
   * {@return the number of bytes around the records of a batch, as Kafka counts them} Uncompressed
   * messages of magic 0 and 1 have no batch around them, so the result is 0.
   *
   * <p>Source: Kafka's {@code AbstractRecords.recordBatchHeaderSizeInBytes}.
   *
   * @param magic the magic of the batch, 0 to 2
   * @param compressed true if the records are compressed
   */
  public static int headerBytes(byte magic, boolean compressed) {
    if (magic == MAGIC_V2) {
      return HEADER_BYTES;
    }
    return compressed ? LegacyLayout.outerBytes(magic) : 0;
  }

  /**
   * {@return the offset of the byte whose low bits are the codec's id, from the start of the batch
   * or message}
   *
   * @param magic the magic of the batch or message
   */
  public static int codecOffset(byte magic) {
    return magic == MAGIC_V2 ? ATTRIBUTES_OFFSET + 1 : LegacyLayout.ATTRIBUTES_OFFSET;
  }

  /**
   * Reads the codec id of the batch or message at {@code start}. Its attributes must be readable.
   *
   * @param buffer the buffer with the batch
   * @param start index of the batch's first byte
   * @return the id, 0 to 7
   */
  public static int codecIdAt(ByteBuffer buffer, int start) {
    return buffer.get(start + codecOffset(magicAt(buffer, start))) & CODEC_MASK;
  }

  /**
   * Reads the base offset of the batch at {@code start}. 8 bytes must be readable there.
   *
   * @param buffer the buffer with the batch
   * @param start index of the batch's first byte
   * @return the field
   */
  public static long baseOffsetAt(ByteBuffer buffer, int start) {
    return BigEndian.getLong(buffer, start + BASE_OFFSET_OFFSET);
  }
}
