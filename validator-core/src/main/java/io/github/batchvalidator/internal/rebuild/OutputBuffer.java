// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of a rebuilt batch, in an array of its own that grows up to a limit.
 *
 * <p>Writing never throws. The first failure sticks: nothing is written behind it, every answer is
 * false from then on, and {@link #failure()} says what it was. A caller can so write a whole batch
 * and look once.
 *
 * <p>Re-used for every batch, and allocates only to grow. Confined to one thread.
 */
public final class OutputBuffer {
  /** Holds most rebuilt batches; the array is not smaller once it is used. */
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
   * @param limitBytes the most bytes to take, at least 0
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
   * @param source holds them
   * @param from index of the first
   * @param bytes how many
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
   * Leaves room for bytes that are written later, such as a header. What they hold until then is
   * not defined.
   *
   * @param bytes how many
   * @return false after a failure
   */
  public boolean skip(int bytes) {
    if (!reserve(bytes)) {
      return false;
    }
    length += bytes;
    return true;
  }

  /** Appends four bytes, the highest first. */
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

  /** Appends four bytes, the lowest first. */
  boolean writeIntLittleEndian(int value) {
    return writeIntBigEndian(Integer.reverseBytes(value));
  }

  /**
   * Makes room behind the bytes written so far, from index {@link #length()} of {@link #array()}
   * on.
   *
   * @param bytes how many will be written at the least
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
    } catch (OutOfMemoryError e) { // the limit was not reached: the heap has only what there is
      return fail(Reason.LIMIT_REBUILT_BYTES, needed, scratch.heapBytes());
    }
  }

  /** {@return how many bytes can be written behind {@link #length()} without reserving more} */
  int room() {
    return Math.min(array.length, limit) - length;
  }

  /** Takes bytes that were put at {@link #length()}, at most {@link #room()}. */
  void advance(int bytes) {
    length += bytes;
  }

  /**
   * Fails if a record, which may be written compressed, has more bytes than a length field can say.
   *
   * @return false after a failure
   */
  boolean canDeclare(long bytes) {
    return bytes <= Integer.MAX_VALUE || fail(Reason.LIMIT_REBUILT_BYTES, bytes, Integer.MAX_VALUE);
  }

  /**
   * Ends the output as failed, unless it failed before.
   *
   * @return false, so that a write can end with it
   */
  boolean fail(Reason why, long first, long second) {
    return fail(why, first, second, null);
  }

  /** As {@link #fail(Reason, long, long)}, with the exception of a codec library. */
  boolean fail(Reason why, long first, long second, @Nullable Throwable thrown) {
    return fault.setFirst(why, first, second, thrown);
  }

  /** {@return the most bytes that are taken} */
  int limitBytes() {
    return limit;
  }

  // ---- what was written

  /** {@return what went wrong since the start, or null} */
  public @Nullable Reason failure() {
    return fault.reason();
  }

  /** {@return what went wrong since the start, if anything did} */
  public Fault fault() {
    return fault;
  }

  /**
   * {@return the array that starts with the bytes, until the next write, start or {@link #release}}
   */
  public byte[] array() {
    return array;
  }

  /** {@return how many bytes were written since the start} */
  public int length() {
    return length;
  }

  /** Lets go of the array if only giant batches needed it. */
  public void release() {
    scratch.atLeast(length);
    scratch.release();
    start(0);
  }

  /** Lets go of it for good. */
  void close() {
    start(0);
    scratch.close();
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return scratch.heapBytes();
  }
}
