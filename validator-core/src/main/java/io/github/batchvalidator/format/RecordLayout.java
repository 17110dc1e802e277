// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

/**
 * The layout of one record of a batch of magic 2 (Kafka's {@code DefaultRecord}). All numbers
 * except the attributes are zig-zag varints.
 *
 * <pre>
 *  length | attributes int8 | timestampDelta | offsetDelta
 *         | keyLength   key...   | valueLength   value...
 *         | headerCount { keyLength key... | valueLength value... } ...
 * </pre>
 *
 * <p>{@code length} counts the bytes after it. A negative key or value length means null.
 */
public final class RecordLayout {
  /** The maximum size of a 32-bit varint, in bytes. */
  public static final int MAX_VARINT_BYTES = 5;

  /** The maximum size of a 64-bit varint, in bytes. */
  public static final int MAX_VARLONG_BYTES = 10;

  /** The length that Kafka writes for a key or value that is null. */
  public static final int NULL_LENGTH = -1;

  private RecordLayout() {}

  /**
   * {@return the size of the shortest zig-zag varint of a number in bytes, 1 to 5}
   *
   * @param number any number
   */
  public static int sizeOfVarint(int number) {
    int raw = (number << 1) ^ (number >> (Integer.SIZE - 1));
    return (Integer.SIZE - Integer.numberOfLeadingZeros(raw | 1) + 6) / 7;
  }

  /**
   * {@return the size of the shortest zig-zag varint of a long number in bytes, 1 to 10}
   *
   * @param number any number
   */
  public static int sizeOfVarlong(long number) {
    long raw = (number << 1) ^ (number >> (Long.SIZE - 1));
    return (Long.SIZE - Long.numberOfLeadingZeros(raw | 1) + 6) / 7;
  }

  /**
   * Writes a number as the shortest zig-zag varint.
   *
   * @param bytes the array to write to
   * @param at index of the first byte; {@link #sizeOfVarint} bytes fit into the array from there
   * @param number any number
   * @return the index after the last byte
   */
  public static int putVarint(byte[] bytes, int at, int number) {
    return putUnsigned(bytes, at, ((number << 1) ^ (number >> (Integer.SIZE - 1))) & 0xFFFF_FFFFL);
  }

  /**
   * Writes a long number as the shortest zig-zag varint.
   *
   * @param bytes the array to write to
   * @param at index of the first byte; {@link #sizeOfVarlong} bytes fit into the array from there
   * @param number any number
   * @return the index after the last byte
   */
  public static int putVarlong(byte[] bytes, int at, long number) {
    return putUnsigned(bytes, at, (number << 1) ^ (number >> (Long.SIZE - 1)));
  }

  private static int putUnsigned(byte[] bytes, int at, long number) {
    int next = at;
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      bytes[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[next++] = (byte) rest;
    return next;
  }
}
