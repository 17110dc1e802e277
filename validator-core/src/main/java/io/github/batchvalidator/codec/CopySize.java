// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

/**
 * How much is copied at once of plain bytes that lie where a window cannot read them. Of large
 * values only the ends are looked at: as long as values are passed, pieces are small, else they
 * grow. Re-used for every batch. Confined to one thread.
 */
final class CopySize {
  /** What is copied before it is known how large the records are. */
  private static final int FIRST_BYTES = 256;

  /** Of less than this a copy costs no more than another piece. */
  private static final int WORTH_PASSING_BYTES = 2 * 1024;

  private final int mostBytes;
  private int bytes;

  /**
   * Creates one.
   *
   * @param mostBytes of a piece
   */
  CopySize(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Starts over, with small pieces. */
  void start() {
    bytes = Math.min(FIRST_BYTES, mostBytes);
  }

  /**
   * {@return how many bytes to copy}
   *
   * @param left how many there are
   */
  int next(int left) {
    int piece = Math.min(left, bytes);
    bytes = Math.min(mostBytes, 4 * bytes);
    return piece;
  }

  /**
   * {@return how many bytes to pass, uncopied}
   *
   * @param most how many nobody is going to look at
   * @param left how many there are
   */
  int pass(int most, int left) {
    if (most < WORTH_PASSING_BYTES || left == 0) {
      return 0;
    }
    start();
    return Math.min(most, left);
  }
}
