// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Puts streams together byte by byte. */
public final class Bytes {
  private Bytes() {}

  public static byte[] of(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  public static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  public static byte[] concat(byte[]... parts) {
    ByteBuffer whole = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      whole.put(part);
    }
    return whole.array();
  }

  public static byte[] repeat(int times, byte[] part) {
    ByteBuffer whole = ByteBuffer.allocate(times * part.length);
    for (int i = 0; i < times; i++) {
      whole.put(part);
    }
    return whole.array();
  }

  /** Returns the first {@code length} bytes or, if that is negative, all but the last ones. */
  public static byte[] cut(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, length < 0 ? bytes.length + length : length);
  }

  /** Returns a copy in which the byte at {@code at}, from the end if negative, is another. */
  public static byte[] with(byte[] bytes, int at, int value) {
    byte[] copy = bytes.clone();
    copy[at < 0 ? bytes.length + at : at] = (byte) value;
    return copy;
  }

  /** Returns a copy in which the lowest bit of the byte at {@code at} is flipped. */
  public static byte[] damaged(byte[] bytes, int at) {
    return with(bytes, at, bytes[at < 0 ? bytes.length + at : at] ^ 1);
  }

  public static byte[] littleEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  public static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  public static byte[] bigEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }
}
