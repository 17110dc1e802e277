// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;

/**
 * An encoder that passes blocks of one size to its library; the last block may be shorter. Small
 * writes are gathered first. Whole blocks are passed without a copy.
 */
abstract class BlockEncoder extends Encoder {
  private final byte[] gathered;
  private int filled;

  BlockEncoder(Codec codec, int blockBytes) {
    super(codec);
    gathered = new byte[blockBytes];
  }

  @Override
  final void start(int level, int magic) {
    filled = 0;
    startBlocks(level, magic);
  }

  @Override
  final void encode(byte[] source, int from, int length) throws IOException {
    int at = from;
    int left = length;
    while (left > 0 && output.failure() == null) {
      int bytes = Math.min(left, gathered.length - filled);
      if (bytes == gathered.length) {
        block(source, at, bytes);
      } else {
        gather(source, at, bytes);
      }
      at += bytes;
      left -= bytes;
    }
  }

  private void gather(byte[] source, int from, int length) throws IOException {
    System.arraycopy(source, from, gathered, filled, length);
    filled += length;
    if (filled == gathered.length) {
      filled = 0;
      block(gathered, 0, gathered.length);
    }
  }

  @Override
  final void end() throws IOException {
    if (filled > 0) {
      block(gathered, 0, filled);
    }
    endBlocks();
  }

  /** Writes the header of the stream. */
  abstract void startBlocks(int level, int magic);

  /** Compresses a block of at least one byte. Not called once the output has failed. */
  abstract void block(byte[] source, int from, int length) throws IOException;

  abstract void endBlocks();

  @Override
  public long heapBytes() {
    return gathered.length;
  }
}
