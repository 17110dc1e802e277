// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * A scratch array that grows to the size that batches need and shrinks when they stop needing it.
 * One giant block does not hold its memory forever, and regular batches never allocate.
 *
 * <p>Only batches of the owner count, for example of one codec. If no more arrive, the array keeps
 * its size. Confined to one thread.
 */
public final class Scratch {
  /** A larger array is dropped after this many consecutive batches that fit the resting size. */
  public static final int PATIENCE = 128;

  /** The largest array size of the JVM, regardless of the heap. */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private static final byte[] NOTHING = {};

  private final int restingBytes;
  private byte[] array;
  private boolean grownThisTime;
  private int idle;

  /**
   * Creates an empty scratch.
   *
   * @param restingBytes the minimum size after first use, and the size to shrink to
   */
  public Scratch(int restingBytes) {
    this.restingBytes = restingBytes;
    array = NOTHING;
  }

  /**
   * {@return an array of at least {@code bytes}} Its content is undefined.
   *
   * @param bytes the minimum size; bounded by bytes that exist, by a constant of the format or by a
   *     limit, never just by a declared number
   */
  public byte[] atLeast(int bytes) {
    return atLeast(bytes, bytes);
  }

  /**
   * {@return an array as {@link #atLeast(int)} does} A second growth for the same batch doubles the
   * size, so that needs that grow byte by byte do not allocate each time.
   *
   * @param bytes the minimum size, as for {@link #atLeast(int)}
   * @param max the maximum size that doubling may reach
   */
  public byte[] atLeast(int bytes, int max) {
    boolean again = grownThisTime;
    grownThisTime |= bytes > restingBytes;
    if (array.length < bytes) {
      int size = Math.max(Math.max(bytes, restingBytes), again ? doubled(max) : 0);
      array = NOTHING;
      array = new byte[size];
    }
    return array;
  }

  private int doubled(int max) {
    return (int) Math.min(Math.min(max, LARGEST_ARRAY), 2L * array.length);
  }

  /**
   * {@return an array of at least {@code bytes} that keeps the first bytes of the last one} Doubles
   * the size if it has to grow, so that growing step by step stays cheap.
   *
   * @param bytes the minimum size, as for {@link #atLeast}
   * @param keep the number of bytes to keep, at most the size of the last array
   * @param max the maximum size that doubling may reach; a larger {@code bytes} is met exactly
   * @throws OutOfMemoryError if the heap has no room; the last array is kept
   */
  public byte[] grow(int bytes, int keep, int max) {
    if (array.length < bytes) {
      byte[] larger = new byte[Math.max(Math.max(bytes, restingBytes), doubled(max))];
      System.arraycopy(array, 0, larger, 0, keep);
      array = larger;
    }
    return atLeast(bytes);
  }

  /** Ends the use for one batch. */
  public void release() {
    idle = grownThisTime ? 0 : idle + 1;
    grownThisTime = false;
    if (idle >= PATIENCE && array.length > restingBytes) {
      array = NOTHING;
    }
  }

  /** Drops the array. */
  public void close() {
    array = NOTHING;
  }

  public int heapBytes() {
    return array.length;
  }
}
