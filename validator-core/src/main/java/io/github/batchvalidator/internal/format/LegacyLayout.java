// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

/**
 * Where the fields of a message of magic 0 or 1 lie (KIP-31, KIP-32, Kafka's {@code LegacyRecord}).
 * Offsets are in bytes from the start of the prefix, numbers are big endian. Each message is a
 * batch of its own; a compressed one holds others, prefix included, in its value.
 *
 * <pre>
 *   0        8        12       16    17    18           26
 *  +--------+--------+--------+-----+-----+------------+--------+-----+--------+-------+
 *  | offset | size   | CRC-32 |magic|attri| timestamp  | key    | key | value  | value |
 *  |        | of rest|        |     |butes| magic 1    | size   |     | size   |       |
 *  +--------+--------+--------+-----+-----+------------+--------+-----+--------+-------+
 *   magic 0 has no timestamp: its key size lies at 18
 * </pre>
 *
 * <p>The CRC covers everything from the magic to the end of the message. A negative key or value
 * size means null. The offset of a compressed message is that of the last one in it. What lies in
 * it has absolute offsets in magic 0 and relative ones in magic 1.
 */
public final class LegacyLayout {
  /** Offset, 8 bytes. */
  public static final int OFFSET_OFFSET = BatchLayout.BASE_OFFSET_OFFSET;

  /** CRC-32, 4 bytes; the message starts here. */
  public static final int CRC_OFFSET = BatchLayout.LOG_OVERHEAD;

  /** Magic, 1 byte; the first that the CRC covers. */
  public static final int MAGIC_OFFSET = CRC_OFFSET + Integer.BYTES;

  /** Attributes, 1 byte: codec and timestamp type as in magic 2. */
  public static final int ATTRIBUTES_OFFSET = MAGIC_OFFSET + Byte.BYTES;

  /** Magic 1: timestamp, 8 bytes, milliseconds since the epoch, -1 for none. */
  public static final int TIMESTAMP_OFFSET = ATTRIBUTES_OFFSET + Byte.BYTES;

  /** Magic 0: size of the key, 4 bytes. */
  public static final int KEY_SIZE_OFFSET_V0 = ATTRIBUTES_OFFSET + Byte.BYTES;

  /** Magic 1: size of the key, 4 bytes. */
  public static final int KEY_SIZE_OFFSET_V1 = TIMESTAMP_OFFSET + Long.BYTES;

  /** The magic that has no timestamp. */
  public static final byte MAGIC_V0 = 0;

  /** The magic that has one. */
  public static final byte MAGIC_V1 = 1;

  /** Size without prefix of the smallest message, one of magic 0 without key and value. */
  public static final int MIN_MESSAGE_BYTES = BatchLayout.MIN_LENGTH;

  /** All attribute bits that have a meaning in magic 1. */
  public static final int KNOWN_ATTRIBUTES_MASK =
      BatchLayout.CODEC_MASK | BatchLayout.TIMESTAMP_TYPE_MASK;

  private LegacyLayout() {}

  /**
   * {@return where the size of the key lies, in bytes from the start of the prefix}
   *
   * @param magic of the message; what is not 0 is read as 1
   */
  public static int keySizeOffset(byte magic) {
    return magic == MAGIC_V0 ? KEY_SIZE_OFFSET_V0 : KEY_SIZE_OFFSET_V1;
  }

  /**
   * {@return the bytes of an outer message without its value, prefix included: its key is null}
   *
   * @param magic of the message; what is not 0 is read as 1
   */
  public static int outerBytes(byte magic) {
    return keySizeOffset(magic) + 2 * Integer.BYTES;
  }
}
