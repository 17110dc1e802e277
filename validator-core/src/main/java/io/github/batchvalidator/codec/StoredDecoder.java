// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * Plain payloads. Over an accessible array the window is the caller's array itself, else the bytes
 * are copied through a window of the decoder's own.
 */
final class StoredDecoder extends BlockDecoder {
  /** Large enough to hide the cost of a refill, small enough to stay in the first-level cache. */
  static final int WINDOW_BYTES = 16 * 1024;

  private final int copyBytes;

  StoredDecoder(int windowBytes) {
    super(windowBytes, Math.min(WINDOW_BYTES, windowBytes));
    copyBytes = Math.min(WINDOW_BYTES, windowBytes);
  }

  @Override
  void startBlocks(Limits limits, ByteWindow window) {
    // a plain payload has no header
  }

  @Override
  boolean nextBlock(ByteWindow window) {
    int bytes = payload.isArray() ? left() : Math.min(left(), copyBytes);
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, input);
    next += bytes;
    return block(payload.array(), payload.arrayOffset(), bytes);
  }
}
