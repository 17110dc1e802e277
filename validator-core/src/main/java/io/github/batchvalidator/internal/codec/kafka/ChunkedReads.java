// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * The sizes of the reads of a decoder: the size of its window, or the number of bytes that the
 * reader announced if that is no less.
 *
 * <p>These are the reads of Kafka's {@code ChunkedBytesStream} from the stream of a codec. It fills
 * its buffer, but a read at least as large as the buffer bypasses an empty buffer. These reads
 * decide how far a codec has read ahead when a reader finds a fault.
 */
final class ChunkedReads {
  /** For {@link #took}: the read has ended, with or without bytes. */
  static final int THE_LAST = 0;

  private final int windowBytes;

  /** Remaining bytes of the current read, if they do not fit in the window. */
  private long left;

  private boolean continuesRead;

  ChunkedReads(int windowBytes) {
    this.windowBytes = windowBytes;
  }

  void start() {
    left = 0;
    continuesRead = false;
  }

  /** {@return true if the next bytes belong to the same read as the last ones} */
  boolean continuesRead() {
    return continuesRead;
  }

  /**
   * {@return the maximum number of bytes to hand out next}
   *
   * @param window the window, without readable bytes
   */
  int next(ByteWindow window) {
    continuesRead = left > 0;
    if (!continuesRead && window.expected() >= windowBytes) {
      left = window.expected();
    }
    return left > 0 ? (int) Math.min(left, windowBytes) : windowBytes;
  }

  /**
   * Records that bytes were produced.
   *
   * @param bytes the result of {@link #next}, or {@link #THE_LAST}
   */
  void took(int bytes) {
    left = bytes == THE_LAST ? 0 : Math.max(0, left - bytes);
  }
}
