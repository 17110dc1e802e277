// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

/**
 * The shape of one record of a batch of magic 2 (Kafka's {@code DefaultRecord}). All numbers but
 * the attributes are zig-zag varints.
 *
 * <pre>
 *  length | attributes int8 | timestampDelta | offsetDelta
 *         | keyLength   key...   | valueLength   value...
 *         | headerCount { keyLength key... | valueLength value... } ...
 * </pre>
 *
 * <p>{@code length} counts the bytes behind it. A negative key or value length means null.
 */
public final class RecordLayout {
  /** The most bytes a varint of 32 bits takes. */
  public static final int MAX_VARINT_BYTES = 5;

  /** The most bytes a varint of 64 bits takes. */
  public static final int MAX_VARLONG_BYTES = 10;

  private RecordLayout() {}

  /**
   * {@return how many bytes the shortest zig-zag varint of a number has, 1 to 5}
   *
   * @param number any
   */
  public static int sizeOfVarint(int number) {
    int raw = (number << 1) ^ (number >> (Integer.SIZE - 1));
    return (Integer.SIZE - Integer.numberOfLeadingZeros(raw | 1) + 6) / 7;
  }

  /**
   * {@return how many bytes the shortest zig-zag varint of a long number has, 1 to 10}
   *
   * @param number any
   */
  public static int sizeOfVarlong(long number) {
    long raw = (number << 1) ^ (number >> (Long.SIZE - 1));
    return (Long.SIZE - Long.numberOfLeadingZeros(raw | 1) + 6) / 7;
  }

  /**
   * Writes a number as the shortest zig-zag varint.
   *
   * @param bytes takes it
   * @param at index of the first byte; {@link #sizeOfVarint} bytes lie within the array
   * @param number any
   * @return the index behind the last byte
   */
  public static int putVarint(byte[] bytes, int at, int number) {
    return putUnsigned(bytes, at, ((number << 1) ^ (number >> (Integer.SIZE - 1))) & 0xFFFF_FFFFL);
  }

  /**
   * Writes a long number as the shortest zig-zag varint.
   *
   * @param bytes takes it
   * @param at index of the first byte; {@link #sizeOfVarlong} bytes lie within the array
   * @param number any
   * @return the index behind the last byte
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
