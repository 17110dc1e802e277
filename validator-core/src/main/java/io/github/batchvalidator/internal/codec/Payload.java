// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.internal.format.BigEndian;
import java.nio.ByteBuffer;

/**
 * The stored bytes behind a batch header, as arrays that codec libraries take.
 *
 * <p>Where the buffer has an accessible array, stretches are that array itself. Direct and
 * read-only buffers are copied, stretch by stretch, into an array of the decoder's own: no library
 * can read them without moving the caller's position or allocating. What is not compressed needs no
 * library, and is {@link ArraylessBytes} there. Positions count from the start of the payload.
 * Never allocates but through the scratch it is given. Confined to one thread.
 */
public final class Payload {
  /** Its own: a reference within a region of the heap costs the collector no barrier. */
  private final ByteBuffer nothing = ByteBuffer.allocate(0);

  private ByteBuffer buffer = nothing;
  private int start;
  private int length;

  private byte[] array = nothing.array();
  private int offset;

  /** Creates an empty payload. */
  public Payload() {}

  /**
   * Points at the payload of a batch.
   *
   * @param source any buffer; its position, limit, mark and order are neither used nor changed
   * @param from index of the first byte
   * @param bytes how many there are; all within the buffer's limit
   * @return this payload
   */
  public Payload wrap(ByteBuffer source, int from, int bytes) {
    buffer = source;
    start = from;
    length = bytes;
    return this;
  }

  /** Lets go of the buffer. */
  public void clear() {
    buffer = nothing;
    array = nothing.array();
    length = 0;
  }

  /** {@return how many bytes there are} */
  public int length() {
    return length;
  }

  /** {@return true if stretches are the caller's own array} */
  public boolean isArray() {
    return buffer.hasArray();
  }

  /** {@return the byte at a position below {@link #length()}} */
  public byte get(int at) {
    return buffer.get(start + at);
  }

  /** {@return two little-endian bytes as a number from 0 on; all must be there} */
  public int getUint16LittleEndian(int at) {
    return (get(at) & 0xFF) | (get(at + 1) & 0xFF) << Byte.SIZE;
  }

  /** {@return three little-endian bytes as a number from 0 on; all must be there} */
  public int getUint24LittleEndian(int at) {
    return getUint16LittleEndian(at) | (get(at + 2) & 0xFF) << Short.SIZE;
  }

  /** {@return four little-endian bytes; all must be there} */
  public int getIntLittleEndian(int at) {
    return Integer.reverseBytes(getIntBigEndian(at));
  }

  /** {@return four big-endian bytes; all must be there} */
  public int getIntBigEndian(int at) {
    return BigEndian.getInt(buffer, start + at);
  }

  /** {@return eight big-endian bytes; all must be there} */
  public long getLongBigEndian(int at) {
    return BigEndian.getLong(buffer, start + at);
  }

  /**
   * Makes a stretch available as {@link #array()} from {@link #arrayOffset()} on.
   *
   * @param at position of its first byte
   * @param bytes how many; all must be there
   * @param scratch takes the copy if one is needed
   */
  public void stretch(int at, int bytes, Scratch scratch) {
    if (buffer.hasArray()) {
      inPlace(at);
    } else {
      array = scratch.atLeast(bytes, length);
      offset = 0;
      buffer.get(start + at, array, 0, bytes);
    }
  }

  /** Makes the bytes from a position on available as {@link #stretch} does: they are an array. */
  public void inPlace(int at) {
    array = buffer.array();
    offset = buffer.arrayOffset() + start + at;
  }

  /** Hands on bytes that are no array, uncopied. */
  public void putInto(ArraylessBytes target, int at, int bytes) {
    target.put(buffer, start + at, bytes);
  }

  /** Copies bytes into a buffer of the decoder's own, from its index 0 on. */
  public void copyTo(ByteBuffer target, int at, int bytes) {
    target.put(0, buffer, start + at, bytes);
  }

  /** {@return the array of the last stretch} */
  public byte[] array() {
    return array;
  }

  /** {@return where in {@link #array()} the last stretch starts} */
  public int arrayOffset() {
    return offset;
  }
}
