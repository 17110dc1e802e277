// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.ByteArrayOutputStream;

/**
 * One record as plain bytes, written field by field so that any field can be a lie. Starts as an
 * honest record with offset delta 0, a key and a value of one byte each, and no header.
 */
public final class RecordBytes {
  private static final int SHORTEST = 1;

  private int attributes;
  private byte[] timestampDelta = varint(0, SHORTEST);
  private byte[] offsetDelta = varint(0, SHORTEST);
  private byte[] keySize = varint(1, SHORTEST);
  private byte[] key = {'k'};
  private byte[] valueSize = varint(1, SHORTEST);
  private byte[] value = {'v'};
  private byte[] headerCount = varint(0, SHORTEST);
  private final ByteArrayOutputStream headers = new ByteArrayOutputStream();
  private int lengthError;
  private byte[] length = {};

  /** Returns the zig-zag varint of a number in at least so many bytes, over-long if need be. */
  public static byte[] varint(long number, int leastBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long rest = number << 1 ^ number >> 63;
    while ((rest & ~0x7FL) != 0 || out.size() + 1 < leastBytes) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return out.toByteArray();
  }

  public RecordBytes attributes(int bits) {
    attributes = bits;
    return this;
  }

  public RecordBytes timestampDelta(byte[] encoded) {
    timestampDelta = encoded;
    return this;
  }

  public RecordBytes offsetDelta(byte[] encoded) {
    offsetDelta = encoded;
    return this;
  }

  public RecordBytes key(byte[] size, byte[] bytes) {
    keySize = size;
    key = bytes;
    return this;
  }

  public RecordBytes value(byte[] size, byte[] bytes) {
    valueSize = size;
    value = bytes;
    return this;
  }

  public RecordBytes headerCount(byte[] encoded) {
    headerCount = encoded;
    return this;
  }

  /** Adds a header; the count is not told. */
  public RecordBytes header(byte[] keyBytes, byte[] headerValue) {
    return headerPart(varint(keyBytes.length, SHORTEST), keyBytes)
        .headerPart(varint(headerValue.length, SHORTEST), headerValue);
  }

  /** Adds any length and what it counts. */
  public RecordBytes headerPart(byte[] size, byte[] bytes) {
    headers.writeBytes(size);
    headers.writeBytes(bytes);
    return this;
  }

  /** Makes the declared length wrong by so many bytes. */
  public RecordBytes lengthError(int bytes) {
    lengthError = bytes;
    return this;
  }

  /** Replaces the length field. */
  public RecordBytes length(byte[] encoded) {
    length = encoded;
    return this;
  }

  /** Returns the number of bytes after the length field of a record. */
  public static int bodyBytes(byte[] record) {
    int at = 0;
    while (record[at] < 0) {
      at++;
    }
    return record.length - at - 1;
  }

  /** Returns the record, length field included. */
  public byte[] toBytes() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(attributes);
    for (byte[] part :
        new byte[][] {
          timestampDelta,
          offsetDelta,
          keySize,
          key,
          valueSize,
          value,
          headerCount,
          headers.toByteArray()
        }) {
      body.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(length.length > 0 ? length : varint(body.size() + lengthError, SHORTEST));
    out.writeBytes(body.toByteArray());
    return out.toByteArray();
  }
}
