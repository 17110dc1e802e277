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
  private final CopySize size;
  private final Scratch copy;

  StoredDecoder(int windowBytes) {
    this.windowBytes = windowBytes;
    int mostCopyBytes = Math.min(WINDOW_BYTES, windowBytes);
    size = new CopySize(mostCopyBytes);
    copy = new Scratch(mostCopyBytes);
  }

  @Override
  void start(Limits limits, ByteWindow window) {
    size.start();
  }

  @Override
  protected boolean refill(ByteWindow window) {
    int bytes = payload.isArray() ? Math.min(left(), windowBytes) : size.next(left());
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, copy);
    next += bytes;
    return window.expose(payload.array(), payload.arrayOffset(), bytes);
  }

  /** Large values are not copied: what else would be the most of the work. */
  @Override
  protected int pass(int most) {
    int passed = payload.isArray() ? 0 : size.pass(most, left());
    next += passed;
    return passed;
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
