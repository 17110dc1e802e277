// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

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
}
