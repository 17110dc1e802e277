// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import io.github.batchvalidator.codec.Scratch;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of a rebuilt batch: in an array of its own that grows up to a limit, or in one of
 * the caller's.
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

  private final Scratch own = new Scratch(RESTING_BYTES);
  private boolean isOwn;
  private byte[] array = NOTHING;
  private int start;
  private int end;
  private int limit;

  private @Nullable Reason failure;
  private long failureFirst;
  private long failureSecond;

  /** Creates an output that has no room until it is started. */
  public OutputBuffer() {}

  /**
   * Starts a batch in an array of this object's own.
   *
   * @param limitBytes the most bytes to take, at least 0
   */
  public void start(int limitBytes) {
    isOwn = true;
    restart(NOTHING, 0, limitBytes);
  }

  /**
   * Starts a batch in the caller's array, which is the limit.
   *
   * @param target takes the bytes; in use until the next start or {@link #release}
   * @param from index of the first byte to write
   * @param room how many bytes may be written; all within the array
   */
  public void start(byte[] target, int from, int room) {
    isOwn = false;
    restart(target, from, from + room);
  }

  private void restart(byte[] target, int from, int to) {
    array = target;
    start = from;
    end = from;
    limit = to;
    failure = null;
    failureFirst = 0;
    failureSecond = 0;
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
    System.arraycopy(source, from, array, end, bytes);
    end += bytes;
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
    end += bytes;
    return true;
  }

  /** Appends four bytes, the highest first. */
  boolean writeIntBigEndian(int value) {
    if (!reserve(Integer.BYTES)) {
      return false;
    }
    array[end] = (byte) (value >>> 24);
    array[end + 1] = (byte) (value >>> 16);
    array[end + 2] = (byte) (value >>> 8);
    array[end + 3] = (byte) value;
    end += Integer.BYTES;
    return true;
  }

  /** Appends four bytes, the lowest first. */
  boolean writeIntLittleEndian(int value) {
    return writeIntBigEndian(Integer.reverseBytes(value));
  }

  /**
   * Makes room behind the bytes written so far, from index {@link #end()} of {@link #array()} on.
   *
   * @param bytes how many will be written at the least
   * @return false after a failure
   */
  boolean reserve(int bytes) {
    if (failure != null) {
      return false;
    }
    long needed = (long) end + bytes;
    if (needed > limit) {
      return fail(Reason.LIMIT_REBUILT_BYTES, needed - start, limit - start);
    }
    return needed <= array.length || grow((int) needed);
  }

  private boolean grow(int needed) {
    try {
      array = own.grow(needed, end, limit);
      return true;
    } catch (OutOfMemoryError e) {
      return fail(Reason.LIMIT_REBUILT_BYTES, needed, limit);
    }
  }

  /** {@return how many bytes can be written behind {@link #end()} without reserving more} */
  int room() {
    return Math.min(array.length, limit) - end;
  }

  /** {@return the index in {@link #array()} behind the last byte written} */
  int end() {
    return end;
  }

  /** Takes bytes that were put at {@link #end()}, at most {@link #room()}. */
  void advance(int bytes) {
    end += bytes;
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
    if (failure == null) {
      failure = why;
      failureFirst = first;
      failureSecond = second;
    }
    return false;
  }

  /** {@return the most bytes that are taken} */
  int limitBytes() {
    return limit - start;
  }

  // ---- what was written

  /** {@return what went wrong since the start, or null} */
  public @Nullable Reason failure() {
    return failure;
  }

  /** {@return the first operand of the failure's sentence} */
  public long failureFirst() {
    return failureFirst;
  }

  /** {@return the second operand of the failure's sentence} */
  public long failureSecond() {
    return failureSecond;
  }

  /** {@return the array that holds the bytes, until the next write, start or {@link #release}} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of the first byte written} */
  public int arrayOffset() {
    return start;
  }

  /** {@return how many bytes were written since the start} */
  public int length() {
    return end - start;
  }

  /**
   * {@return the bytes written since the start in an array of exactly their size, or null after a
   * failure} That the heap has no room for the array is such a failure.
   */
  public byte @Nullable [] copy() {
    if (failure != null) {
      return null;
    }
    try {
      byte[] exact = new byte[length()];
      System.arraycopy(array, start, exact, 0, exact.length);
      return exact;
    } catch (OutOfMemoryError e) {
      fail(Reason.LIMIT_REBUILT_BYTES, length(), limit - start);
      return null;
    }
  }

  /** Lets go of the caller's array, and of the own one if only giant batches needed it. */
  public void release() {
    if (isOwn) {
      own.atLeast(end);
      own.release();
    }
    restart(NOTHING, 0, 0);
  }

  /** Lets go of both for good. */
  void close() {
    restart(NOTHING, 0, 0);
    own.close();
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return own.heapBytes();
  }
}
