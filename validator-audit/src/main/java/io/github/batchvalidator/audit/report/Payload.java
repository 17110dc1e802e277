// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** The first bytes of a key or a value. Immutable. */
public final class Payload {
  /** The maximum number of bytes. */
  public static final int MAX_BYTES = 256;

  private final byte[] bytes;

  /**
   * Copies at most {@value #MAX_BYTES} bytes of a field.
   *
   * @param array contains the field
   * @param from the index of the first byte
   * @param size the size of the field in bytes
   */
  public Payload(byte[] array, int from, int size) {
    bytes = Arrays.copyOfRange(array, from, from + Math.min(size, MAX_BYTES));
  }

  /** Returns the number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** Returns the bytes, read-only. */
  ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Returns some bytes as two hexadecimal digits each. */
  public String hex(int from, int to, String delimiter) {
    return HexFormat.ofDelimiter(delimiter).formatHex(bytes, from, to);
  }

  /** Returns some bytes as ASCII, with a dot for each byte that is not printable. */
  public String text(int from, int to) {
    StringBuilder text = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      boolean isPrintable = bytes[i] >= ' ' && bytes[i] <= '~';
      text.append(isPrintable ? (char) bytes[i] : '.');
    }
    return text.toString();
  }
}
