// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

/**
 * The field offsets of a message of magic 0 or 1 (KIP-31, KIP-32, Kafka's {@code LegacyRecord}).
 * Offsets are in bytes from the start of the prefix. Numbers are big-endian. Each outer message is
 * one batch. The value of a compressed message holds other messages, prefixes included.
 *
 * <pre>
 *   0        8        12       16    17    18           26
 *  +--------+--------+--------+-----+-----+------------+--------+-----+--------+-------+
 *  | offset | size   | CRC-32 |magic|attri| timestamp  | key    | key | value  | value |
 *  |        | of rest|        |     |butes| magic 1    | size   |     | size   |       |
 *  +--------+--------+--------+-----+-----+------------+--------+-----+--------+-------+
 *   magic 0 has no timestamp: its key size is at 18
 * </pre>
 *
 * <p>The CRC covers everything from the magic to the end of the message. A negative key or value
 * size means null. A compressed message has the offset of its last inner message. Inner messages
 * have absolute offsets in magic 0 and relative offsets in magic 1.
 */
public final class LegacyLayout {
  /** Offset, 8 bytes. */
  public static final int OFFSET_OFFSET = BatchLayout.BASE_OFFSET_OFFSET;

  /** CRC-32, 4 bytes; the message starts here. */
  public static final int CRC_OFFSET = BatchLayout.LOG_OVERHEAD;

  /** Magic, 1 byte; the first byte that the CRC covers. */
  public static final int MAGIC_OFFSET = CRC_OFFSET + Integer.BYTES;

  /** Attributes, 1 byte: codec and timestamp type as in magic 2. */
  public static final int ATTRIBUTES_OFFSET = MAGIC_OFFSET + Byte.BYTES;

  /** Magic 1: timestamp, 8 bytes, milliseconds since the epoch, -1 for none. */
  public static final int TIMESTAMP_OFFSET = ATTRIBUTES_OFFSET + Byte.BYTES;

  /** Magic 0: size of the key, 4 bytes. */
  public static final int KEY_SIZE_OFFSET_V0 = ATTRIBUTES_OFFSET + Byte.BYTES;

  /** Magic 1: size of the key, 4 bytes. */
  public static final int KEY_SIZE_OFFSET_V1 = TIMESTAMP_OFFSET + Long.BYTES;

  /** The magic without a timestamp. */
  public static final byte MAGIC_V0 = 0;

  /** The magic with a timestamp. */
  public static final byte MAGIC_V1 = 1;

  /** Minimum size of a message without its prefix: magic 0, null key and null value. */
  public static final int MIN_MESSAGE_BYTES = BatchLayout.MIN_LENGTH;

  /** The same, prefix included. */
  public static final int SMALLEST_BYTES = BatchLayout.LOG_OVERHEAD + MIN_MESSAGE_BYTES;

  /** All attribute bits that magic 1 defines. */
  public static final int KNOWN_ATTRIBUTES_MASK =
      BatchLayout.CODEC_MASK | BatchLayout.TIMESTAMP_TYPE_MASK;

  private LegacyLayout() {}

  /**
   * {@return the offset of the key size, in bytes from the start of the prefix}
   *
   * @param magic the magic of the message; any value other than 0 counts as 1
   */
  public static int keySizeOffset(byte magic) {
    return magic == MAGIC_V0 ? KEY_SIZE_OFFSET_V0 : KEY_SIZE_OFFSET_V1;
  }

  /**
   * {@return the size of an outer message with a null key and without its value, prefix included}
   *
   * @param magic the magic of the message; any value other than 0 counts as 1
   */
  public static int outerBytes(byte magic) {
    return keySizeOffset(magic) + 2 * Integer.BYTES;
  }
}
