// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A buffer for the bytes of a rebuilt batch. It owns an array that grows up to a limit.
 *
 * <p>Writing never throws. After the first failure, nothing is written, every write returns false,
 * and {@link #failure()} returns the reason. A caller can thus write a whole batch and check once.
 *
 * <p>Reused for every batch. Allocates only to grow. Confined to one thread.
 */
public final class OutputBuffer {
  /** The smallest array in bytes once it is used. Most rebuilt batches fit. */
  static final int RESTING_BYTES = 128 * 1024;

  private static final byte[] NOTHING = {};

  private final Scratch scratch = new Scratch(RESTING_BYTES);
  private byte[] array = NOTHING;
  private int length;
  private int limit;

  private final Fault fault = new Fault();

  /** Creates an output that has no room until it is started. */
  public OutputBuffer() {}

  /**
   * Starts a batch.
   *
   * @param limitBytes the maximum size in bytes, at least 0
   */
  public void start(int limitBytes) {
    array = NOTHING;
    length = 0;
    limit = limitBytes;
    fault.clear();
  }

  // ---- writing

  /**
   * Appends bytes.
   *
   * @param source contains the bytes
   * @param from index of the first byte
   * @param bytes how many bytes
   * @return false after a failure
   */
  public boolean write(byte[] source, int from, int bytes) {
    if (!reserve(bytes)) {
      return false;
    }
    System.arraycopy(source, from, array, length, bytes);
    length += bytes;
    return true;
  }

  /**
   * Leaves room for bytes that are written later, such as a header. Their values are undefined
   * until then.
   *
   * @param bytes how many bytes
   * @return false after a failure
   */
  public boolean skip(int bytes) {
    if (!reserve(bytes)) {
      return false;
    }
    length += bytes;
    return true;
  }

  boolean writeIntBigEndian(int value) {
    if (!reserve(Integer.BYTES)) {
      return false;
    }
    array[length] = (byte) (value >>> 24);
    array[length + 1] = (byte) (value >>> 16);
    array[length + 2] = (byte) (value >>> 8);
    array[length + 3] = (byte) value;
    length += Integer.BYTES;
    return true;
  }

  boolean writeIntLittleEndian(int value) {
    return writeIntBigEndian(Integer.reverseBytes(value));
  }

  /**
   * Makes room after the bytes written so far, at index {@link #length()} of {@link #array()}.
   *
   * @param bytes how many bytes at least
   * @return false after a failure
   */
  boolean reserve(int bytes) {
    if (fault.isSet()) {
      return false;
    }
    long needed = (long) length + bytes;
    if (needed > limit) {
      return fail(Reason.LIMIT_REBUILT_BYTES, needed, limit);
    }
    return needed <= array.length || grow((int) needed);
  }

  private boolean grow(int needed) {
    try {
      array = scratch.grow(needed, length, limit);
      return true;
    } catch (OutOfMemoryError e) { // below the limit, but the heap is full
      return fail(Reason.LIMIT_REBUILT_BYTES, needed, scratch.heapBytes());
    }
  }

  /** {@return how many bytes fit after {@link #length()} without another {@link #reserve}} */
  int room() {
    return Math.min(array.length, limit) - length;
  }

  /** {@return true if nothing has failed and so many bytes fit without another {@link #reserve}} */
  boolean hasRoom(int bytes) {
    return !fault.isSet() && room() >= bytes;
  }

  /** Counts bytes that were put at {@link #length()}, at most {@link #room()}. */
  void advance(int bytes) {
    length += bytes;
  }

  /**
   * Fails if a record is too large for its length field. The limit does not prevent this, because
   * it applies after compression.
   *
   * @return false after a failure
   */
  boolean canDeclare(long bytes) {
    return bytes <= Integer.MAX_VALUE || fail(Reason.LIMIT_REBUILT_BYTES, bytes, Integer.MAX_VALUE);
  }

  /**
   * Marks the output as failed, unless it failed before.
   *
   * @return false, so that a write can end with it
   */
  boolean fail(Reason why, long first, long second) {
    return fail(why, first, second, null);
  }

  /** Like {@link #fail(Reason, long, long)}, with the exception of a codec library. */
  boolean fail(Reason why, long first, long second, @Nullable Throwable thrown) {
    return fault.setFirst(why, first, second, thrown);
  }

  /** {@return the maximum size in bytes} */
  int limitBytes() {
    return limit;
  }

  // ---- what was written

  /** {@return the reason of the first failure since the start, or null} */
  public @Nullable Reason failure() {
    return fault.reason();
  }

  /** {@return the first failure since the start, if there is one} */
  public Fault fault() {
    return fault;
  }

  /**
   * {@return the array that starts with the bytes, valid until the next write, start or {@link
   * #release}}
   */
  public byte[] array() {
    return array;
  }

  /** {@return how many bytes were written since the start} */
  public int length() {
    return length;
  }

  /** Ends the batch. Drops a large array once many batches have not needed it. */
  public void release() {
    scratch.atLeast(length);
    scratch.release();
    start(0);
  }

  /** Releases the array. */
  void close() {
    start(0);
    scratch.close();
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return scratch.heapBytes();
  }
}
