// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * A decoder for uncompressed payloads. The window exposes the caller's array if it is accessible.
 * Otherwise the payload is read as {@link ArraylessBytes}.
 */
public final class StoredDecoder extends PayloadDecoder {
  /** Large enough to hide the cost of a refill, small enough to stay in the L1 cache. */
  public static final int WINDOW_BYTES = 16 * 1024;

  private final int windowBytes;
  private final Scratch copy;
  private final ArraylessBytes arrayless;

  public StoredDecoder(int windowBytes) {
    this.windowBytes = windowBytes;
    int maxCopyBytes = Math.min(WINDOW_BYTES, windowBytes);
    copy = new Scratch(maxCopyBytes);
    arrayless = new ArraylessBytes(maxCopyBytes, copy);
  }

  @Override
  protected void start(Limits limits, ByteWindow window) {
    arrayless.clear();
    if (!payload.isArray()) {
      next = payload.length();
      payload.putInto(arrayless, 0, next);
    }
  }

  @Override
  protected boolean refill(ByteWindow window) {
    if (arrayless.left() > 0) {
      return arrayless.expose(window);
    }
    int bytes = Math.min(left(), windowBytes);
    if (bytes == 0) {
      return false;
    }
    payload.inPlace(next);
    next += bytes;
    return window.expose(payload.array(), payload.arrayOffset(), bytes);
  }

  @Override
  protected ArraylessBytes arrayless() {
    return arrayless;
  }

  @Override
  public void release() {
    arrayless.clear();
  }

  @Override
  public long heapBytes() {
    return copy.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return 0;
  }

  /** Does nothing: there is no native memory, and another thread may still read a batch. */
  @Override
  public void close() {}
}
