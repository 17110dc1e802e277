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

  /** What is copied before it is known how large the records are. */
  private static final int FIRST_COPY_BYTES = 256;

  /** Of less than this a copy costs no more than another refill. */
  private static final int WORTH_PASSING_BYTES = 2 * 1024;

  private final int windowBytes;
  private final int mostCopyBytes;
  private final Scratch copy;

  /** Grows from one refill to the next, until a value is passed. */
  private int copyBytes;

  StoredDecoder(int windowBytes) {
    this.windowBytes = windowBytes;
    mostCopyBytes = Math.min(WINDOW_BYTES, windowBytes);
    copy = new Scratch(mostCopyBytes);
  }

  @Override
  void start(Limits limits, ByteWindow window) {
    copyBytes = Math.min(FIRST_COPY_BYTES, mostCopyBytes);
  }

  @Override
  protected boolean refill(ByteWindow window) {
    int bytes = Math.min(left(), payload.isArray() ? windowBytes : copyBytes);
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, copy);
    copyBytes = Math.min(mostCopyBytes, 4 * copyBytes);
    next += bytes;
    return window.expose(payload.array(), payload.arrayOffset(), bytes);
  }

  /** Large values are not copied: what else would be the most of the work. */
  @Override
  protected int pass(int most) {
    if (most < WORTH_PASSING_BYTES || payload.isArray()) {
      return 0;
    }
    int passed = Math.min(most, left());
    next += passed;
    copyBytes = Math.min(FIRST_COPY_BYTES, mostCopyBytes);
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
