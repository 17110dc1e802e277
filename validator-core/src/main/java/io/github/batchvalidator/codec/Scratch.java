// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

/**
 * An array that grows to what batches need and shrinks when they stop needing it, so that one giant
 * block does not cost its memory for ever and regular ones never allocate. What it held before is
 * not kept.
 */
final class Scratch {
  /** After so many batches in a row that fit the resting size, a larger array is dropped. */
  static final int PATIENCE = 128;

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
  Scratch(int restingBytes) {
    this.restingBytes = restingBytes;
    array = NOTHING;
  }

  /**
   * {@return an array of at least {@code bytes}}
   *
   * @param bytes bounded by bytes that exist, by a constant of the format or by a limit; never a
   *     number that was only declared
   */
  byte[] atLeast(int bytes) {
    grownThisTime |= bytes > restingBytes;
    if (array.length < bytes) {
      array = NOTHING;
      array = new byte[Math.max(bytes, restingBytes)];
    }
    return array;
  }

  /** Ends the use for one batch. */
  void release() {
    idle = grownThisTime ? 0 : idle + 1;
    grownThisTime = false;
    if (idle >= PATIENCE && array.length > restingBytes) {
      array = NOTHING;
    }
  }

  /** {@return the heap bytes held} */
  int heapBytes() {
    return array.length;
  }
}
