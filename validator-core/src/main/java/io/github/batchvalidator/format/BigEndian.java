// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Static methods that read and write big-endian numbers at absolute positions of buffers and
 * arrays.
 *
 * <p>The buffer's byte order is ignored, and its position, limit and mark do not change. Never
 * allocates.
 */
public final class BigEndian {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private static final VarHandle ARRAY_SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteBufferViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  /**
   * Reads 2 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to read
   * @param at index of the first byte
   * @return the number
   */
  public static short getShort(ByteBuffer buffer, int at) {
    return (short) SHORT.get(buffer, at);
  }

  /**
   * Reads 4 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to read
   * @param at index of the first byte
   * @return the number
   */
  public static int getInt(ByteBuffer buffer, int at) {
    return (int) INT.get(buffer, at);
  }

  /**
   * Reads 8 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to read
   * @param at index of the first byte
   * @return the number
   */
  public static long getLong(ByteBuffer buffer, int at) {
    return (long) LONG.get(buffer, at);
  }

  /**
   * Reads 2 bytes of an array.
   *
   * @param bytes the array to read
   * @param at index of the first byte; all are within the array
   * @return the number
   */
  public static short getShort(byte[] bytes, int at) {
    return (short) ARRAY_SHORT.get(bytes, at);
  }

  /**
   * Reads 4 bytes of an array.
   *
   * @param bytes the array to read
   * @param at index of the first byte; all are within the array
   * @return the number
   */
  public static int getInt(byte[] bytes, int at) {
    return (int) ARRAY_INT.get(bytes, at);
  }

  /**
   * Reads 8 bytes of an array.
   *
   * @param bytes the array to read
   * @param at index of the first byte; all are within the array
   * @return the number
   */
  public static long getLong(byte[] bytes, int at) {
    return (long) ARRAY_LONG.get(bytes, at);
  }

  /**
   * Writes 2 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to write
   * @param at index of the first byte
   * @param value the number
   */
  public static void putShort(ByteBuffer buffer, int at, short value) {
    SHORT.set(buffer, at, value);
  }

  /**
   * Writes 4 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to write
   * @param at index of the first byte
   * @param value the number
   */
  public static void putInt(ByteBuffer buffer, int at, int value) {
    INT.set(buffer, at, value);
  }

  /**
   * Writes 8 bytes at index {@code at}, all within the buffer's limit.
   *
   * @param buffer the buffer to write
   * @param at index of the first byte
   * @param value the number
   */
  public static void putLong(ByteBuffer buffer, int at, long value) {
    LONG.set(buffer, at, value);
  }
}
