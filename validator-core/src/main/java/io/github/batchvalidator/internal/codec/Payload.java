// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.format.BigEndian;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The bytes of a batch after its header, as arrays for codec libraries.
 *
 * <p>A stretch is a range of these bytes. If the buffer has an accessible array, the stretch is in
 * that array. Direct and read-only buffers are copied, stretch by stretch, into an array of the
 * decoder. No library can read such a buffer without moving its position or allocating.
 * Uncompressed bytes of such a buffer are {@link ArraylessBytes}, which need no library.
 *
 * <p>Positions count from the start of the payload. Allocates only through the given scratch.
 * Confined to one thread.
 */
public final class Payload {
  /** Per instance, not static: a reference within one heap region needs no GC write barrier. */
  private final ByteBuffer nothing = ByteBuffer.allocate(0);

  private ByteBuffer buffer = nothing;
  private int start;
  private int length;

  private byte[] array = nothing.array();
  private int offset;

  public Payload() {}

  /**
   * Points at the payload of a batch.
   *
   * @param source any buffer; its position, limit, mark and order are neither used nor changed
   * @param from index of the first byte
   * @param bytes the number of bytes
   * @return this payload
   * @throws IndexOutOfBoundsException if not all bytes are within the buffer's limit, because a
   *     length in the buffer has changed since it was checked
   */
  public Payload wrap(ByteBuffer source, int from, int bytes) {
    Objects.checkFromIndexSize(from, bytes, source.limit());
    buffer = source;
    start = from;
    length = bytes;
    return this;
  }

  /** Drops the buffer. */
  @SuppressWarnings("ReferenceEquality") // not any buffer without bytes
  public void clear() {
    if (buffer != nothing) { // writing references costs more than comparing one
      buffer = nothing;
      array = nothing.array();
      length = 0;
    }
  }

  public int length() {
    return length;
  }

  /** {@return true if stretches are in the caller's array, without a copy} */
  public boolean isArray() {
    return buffer.hasArray();
  }

  /** {@return the byte at a position below {@link #length()}} */
  public byte get(int at) {
    return buffer.get(start + at);
  }

  /** {@return two little-endian bytes as an unsigned number; all must be within the payload} */
  public int getUint16LittleEndian(int at) {
    return (get(at) & 0xFF) | (get(at + 1) & 0xFF) << Byte.SIZE;
  }

  /** {@return three little-endian bytes as an unsigned number; all must be within the payload} */
  public int getUint24LittleEndian(int at) {
    return getUint16LittleEndian(at) | (get(at + 2) & 0xFF) << Short.SIZE;
  }

  /** {@return four little-endian bytes; all must be within the payload} */
  public int getIntLittleEndian(int at) {
    return Integer.reverseBytes(getIntBigEndian(at));
  }

  /** {@return four big-endian bytes; all must be within the payload} */
  public int getIntBigEndian(int at) {
    return BigEndian.getInt(buffer, start + at);
  }

  /** {@return eight big-endian bytes; all must be within the payload} */
  public long getLongBigEndian(int at) {
    return BigEndian.getLong(buffer, start + at);
  }

  /**
   * Makes a stretch available in {@link #array()} from {@link #arrayOffset()} on.
   *
   * @param at position of the first byte
   * @param bytes the number of bytes; all must be within the payload
   * @param scratch holds the copy if one is needed
   */
  public void stretch(int at, int bytes, Scratch scratch) {
    if (buffer.hasArray()) {
      inPlace(at);
    } else {
      copy(at, bytes, scratch);
    }
  }

  /**
   * Makes a stretch available as {@link #stretch} does, always as a copy, which does not change
   * when the host changes its buffer.
   *
   * @param at position of the first byte
   * @param bytes the number of bytes; all must be within the payload
   * @param scratch holds the copy
   */
  public void copy(int at, int bytes, Scratch scratch) {
    array = scratch.atLeast(bytes, length);
    offset = 0;
    buffer.get(start + at, array, 0, bytes);
  }

  /**
   * Makes all bytes from a position on available as {@link #stretch} does, without a copy. Requires
   * {@link #isArray()}.
   */
  public void inPlace(int at) {
    array = buffer.array();
    offset = buffer.arrayOffset() + start + at;
  }

  /** Passes bytes on without a copy, for a buffer without an accessible array. */
  public void putInto(ArraylessBytes target, int at, int bytes) {
    target.put(buffer, start + at, bytes);
  }

  /** Copies bytes into a buffer of the decoder, from index 0 on. */
  public void copyTo(ByteBuffer target, int at, int bytes) {
    target.put(0, buffer, start + at, bytes);
  }

  /** {@return the array of the last stretch} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of the first byte of the last stretch} */
  public int arrayOffset() {
    return offset;
  }
}
