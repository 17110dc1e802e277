// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * An array that grows to what batches need and shrinks when they stop needing it, so that one giant
 * block does not cost its memory for ever and regular ones never allocate. Batches of its owner, a
 * codec say, are meant: where none comes any more, it stays. Confined to one thread.
 */
public final class Scratch {
  /** After so many batches in a row that fit the resting size, a larger array is dropped. */
  public static final int PATIENCE = 128;

  /** Larger arrays are refused by the JVM whatever the heap. */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private static final byte[] NOTHING = {};

  private final int restingBytes;
  private byte[] array;
  private boolean grownThisTime;
  private int idle;

  /**
   * Creates the array.
   *
   * @param restingBytes the size it is never smaller than once used, and falls back to
   */
  public Scratch(int restingBytes) {
    this.restingBytes = restingBytes;
    array = NOTHING;
  }

  /**
   * {@return an array of at least {@code bytes}} What it held before is not kept.
   *
   * @param bytes bounded by bytes that exist, by a constant of the format or by a limit; never a
   *     number that was only declared
   */
  public byte[] atLeast(int bytes) {
    return atLeast(bytes, bytes);
  }

  /**
   * {@return an array as of {@link #atLeast(int)}} If it grows a second time for the same batch it
   * doubles: needs that grow byte by byte do not take an array each.
   *
   * @param bytes as there
   * @param most the largest array that growing ahead may make
   */
  public byte[] atLeast(int bytes, int most) {
    boolean again = grownThisTime;
    grownThisTime |= bytes > restingBytes;
    if (array.length < bytes) {
      int size = Math.max(Math.max(bytes, restingBytes), again ? doubled(most) : 0);
      array = NOTHING;
      array = new byte[size];
    }
    return array;
  }

  private int doubled(int most) {
    return (int) Math.min(Math.min(most, LARGEST_ARRAY), 2L * array.length);
  }

  /**
   * {@return an array of at least {@code bytes} that starts with what the last one started with}
   * Grows to twice the size or more, so that growing step by step stays cheap.
   *
   * @param bytes as for {@link #atLeast}
   * @param keep how many bytes to keep; at most as many as the last array had
   * @param most the largest array that growing ahead may make; a need above it is met exactly
   * @throws OutOfMemoryError if the heap has no room; the last array is still there then
   */
  public byte[] grow(int bytes, int keep, int most) {
    if (array.length < bytes) {
      byte[] larger = new byte[Math.max(Math.max(bytes, restingBytes), doubled(most))];
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

  /** Lets go of the array. */
  public void close() {
    array = NOTHING;
  }

  /** {@return the heap bytes held} */
  public int heapBytes() {
    return array.length;
  }
}
