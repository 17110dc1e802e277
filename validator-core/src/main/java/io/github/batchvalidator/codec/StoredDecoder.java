// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * Plain payloads. Over an accessible array the window is the caller's array itself, else the bytes
 * are copied through a window of the decoder's own.
 */
final class StoredDecoder extends PayloadDecoder {
  /** Large enough to hide the cost of a refill, small enough to stay in the first-level cache. */
  static final int WINDOW_BYTES = 16 * 1024;

  private final int windowBytes;
  private final int copyBytes;
  private final Scratch copy;

  StoredDecoder(int windowBytes) {
    this.windowBytes = windowBytes;
    copyBytes = Math.min(WINDOW_BYTES, windowBytes);
    copy = new Scratch(copyBytes);
  }

  @Override
  void start(Limits limits, ByteWindow window) {
    // a plain payload has no header
  }

  @Override
  protected boolean refill(ByteWindow window) {
    int bytes = Math.min(left(), payload.isArray() ? windowBytes : copyBytes);
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, copy);
    next += bytes;
    return window.expose(payload.array(), payload.arrayOffset(), bytes);
  }

  /** The copy is never larger than at rest. */
  @Override
  public void release() {}

  @Override
  public long heapBytes() {
    return copy.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
