// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * How many bytes a decoder is to produce in a row before it hands them out: as many as its window
 * has, or as many as the reader said it needs if that is no less.
 *
 * <p>Those are the reads that Kafka's {@code ChunkedBytesStream} makes of the stream of a codec: it
 * fills its buffer, but is passed by for a read that is at least as large as the buffer when
 * nothing is left in it. How far a codec has read ahead when a reader stumbles is decided by that.
 */
final class ChunkedReads {
  /** For {@link #took}: the read has ended, with or without bytes. */
  static final int THE_LAST = 0;

  private final int windowBytes;

  /** What the read under way may still bring, as it does not fit in the window. */
  private long left;

  private boolean goesOn;

  ChunkedReads(int windowBytes) {
    this.windowBytes = windowBytes;
  }

  /** Starts a stream. */
  void start() {
    left = 0;
    goesOn = false;
  }

  /** {@return true if the bytes to hand out next belong to the read that brought the last ones} */
  boolean goesOn() {
    return goesOn;
  }

  /**
   * {@return the most bytes to hand out next}
   *
   * @param window has no bytes left
   */
  int next(ByteWindow window) {
    goesOn = left > 0;
    if (!goesOn && window.expected() >= windowBytes) {
      left = window.expected();
    }
    return left > 0 ? (int) Math.min(left, windowBytes) : windowBytes;
  }

  /**
   * Notes that bytes were produced.
   *
   * @param bytes as many as {@link #next} said, or {@link #THE_LAST}
   */
  void took(int bytes) {
    left = bytes == THE_LAST ? 0 : Math.max(0, left - bytes);
  }
}
