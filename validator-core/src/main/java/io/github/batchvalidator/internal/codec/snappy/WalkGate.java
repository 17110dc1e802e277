// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/**
 * The choice between {@link SnappyWalk} and {@link SnappyDecoder} for a batch, by what is known
 * before decompression. The thresholds are from measurements.
 */
final class WalkGate {
  /** The gate of all walks. */
  static final WalkGate SHARED = new WalkGate();

  /** Smaller records take more time to look up than to decompress. */
  private static final int LEAST_RECORD_BYTES = 300;

  /**
   * A batch with less than one part in ten saved consists of long literals, which are copied fast.
   */
  private static final int MOST_STORED_TENTHS = 9;

  private static final int TENTHS = 10;

  /** A smaller batch, or block before the last, is decompressed faster than its walk is set up. */
  private static final int LEAST_BYTES = 4096;

  /** How a gate decides. */
  enum Mode {
    /** By the thresholds. */
    MEASURED,
    /** Admits every batch that can be walked. For tests. */
    OPEN,
    /** Admits no batch. For tests. */
    SHUT
  }

  private Mode mode = Mode.MEASURED;

  WalkGate() {}

  /** Sets how the gate decides. For tests. */
  void mode(Mode next) {
    mode = next;
  }

  boolean isShut() {
    return mode == Mode.SHUT;
  }

  /** {@return true if a batch that was read in vain keeps the next ones out} */
  boolean pauses() {
    return mode == Mode.MEASURED;
  }

  /** {@return true if blocks of a size are admitted} The last block of a batch may be smaller. */
  boolean admitsBlock(long plainBytes) {
    return plainBytes >= LEAST_BYTES || mode == Mode.OPEN;
  }

  /**
   * {@return true if a batch is admitted}
   *
   * @param plainBytes the plain bytes of all blocks
   * @param storedBytes the stored bytes of the payload
   * @param records the number of records that the batch declares
   */
  boolean admits(long plainBytes, long storedBytes, int records) {
    return mode == Mode.OPEN
        || (plainBytes >= LEAST_BYTES
            && plainBytes >= (long) LEAST_RECORD_BYTES * records
            && storedBytes * TENTHS < plainBytes * MOST_STORED_TENTHS);
  }
}
