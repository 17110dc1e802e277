// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * A decoder for a stream of blocks. Each block is decoded as a whole and exposed in place, or piece
 * by piece in low-memory mode.
 */
public abstract class BlockDecoder extends PayloadDecoder {
  /** Holds a block before decoding, or a piece of it, if the payload has no array. */
  protected final Scratch input;

  /** Holds a decoded block. */
  protected final Scratch output;

  /** A stored (uncompressed) block that is read in place. */
  private final ArraylessBytes arrayless;

  private final int windowBytes;

  /** Per instance, not static: a reference within one heap region needs no GC write barrier. */
  private final byte[] nothing = {};

  private byte[] block = nothing;
  private int blockAt;
  private int blockLeft;

  /**
   * Creates the decoder.
   *
   * @param windowBytes the maximum number of bytes to expose at a time
   * @param restingStoredBytes the size of {@link #input} between batches, if the payload has no
   *     array
   * @param restingBytes the size of {@link #output} between batches
   */
  protected BlockDecoder(int windowBytes, int restingStoredBytes, int restingBytes) {
    this.windowBytes = windowBytes;
    input = new Scratch(restingStoredBytes);
    arrayless = new ArraylessBytes(Math.min(StoredDecoder.WINDOW_BYTES, windowBytes), input);
    output = new Scratch(restingBytes);
  }

  @Override
  protected final void start(Limits limits, ByteWindow window) {
    blockAt = 0;
    blockLeft = 0;
    arrayless.clear();
    startBlocks(limits, window);
  }

  /** Checks the header of the stream. */
  protected abstract void startBlocks(Limits limits, ByteWindow window);

  /**
   * Decodes the next block and passes it to {@link #block}. Empty blocks are legal.
   *
   * @return false at the end of the stream and after a fault
   */
  public abstract boolean nextBlock(ByteWindow window);

  /** Sets the plain bytes of the current block. Always returns true. */
  protected final boolean block(byte[] bytes, int from, int length) {
    block = bytes;
    blockAt = from;
    blockLeft = length;
    return true;
  }

  /** Sets a stored block of a payload that has no array. Always returns true. */
  protected final boolean arraylessBlock(int at, int length) {
    payload.putInto(arrayless, at, length);
    return true;
  }

  /**
   * Copies bytes of the current block that were not exposed yet.
   *
   * @return the number of copied bytes, at most {@code max}
   */
  public final int take(byte[] target, int at, int max) {
    int bytes = Math.min(blockLeft, max);
    System.arraycopy(block, blockAt, target, at, bytes);
    blockAt += bytes;
    blockLeft -= bytes;
    return bytes;
  }

  @Override
  protected final boolean refill(ByteWindow window) {
    while (blockLeft == 0 && arrayless.left() == 0) {
      if (!nextBlock(window)) {
        return false;
      }
    }
    if (arrayless.left() > 0) {
      return arrayless.expose(window);
    }
    int from = blockAt;
    int bytes = Math.min(blockLeft, windowBytes);
    blockAt += bytes;
    blockLeft -= bytes;
    return window.expose(block, from, bytes);
  }

  @Override
  protected final ArraylessBytes arrayless() {
    return arrayless;
  }

  @Override
  public void release() {
    arrayless.clear();
    block = nothing;
    blockLeft = 0;
    input.release();
    output.release();
  }

  @Override
  public long heapBytes() {
    return (long) input.heapBytes() + output.heapBytes();
  }

  @Override
  public final long nativeBytes() {
    return 0;
  }

  @Override
  public final void close() {
    release();
  }
}
