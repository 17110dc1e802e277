// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * A decoder of a stream that consists of blocks. Each is decoded as a whole and the window exposes
 * it where it lies; in the low-memory mode a piece at a time.
 */
public abstract class BlockDecoder extends PayloadDecoder {
  /** Takes a block as it is stored, or a piece of it, where the payload is no array. */
  protected final Scratch input;

  /** Takes a block as it is decoded. */
  protected final Scratch output;

  /** A block that is stored and read where it lies. */
  private final ArraylessBytes arrayless;

  private final int windowBytes;

  /** Its own: a reference within a region of the heap costs the collector no barrier. */
  private final byte[] nothing = {};

  private byte[] block = nothing;
  private int blockAt;
  private int blockLeft;

  /**
   * Creates the decoder.
   *
   * @param windowBytes the most to expose at a time
   * @param restingStoredBytes the size of a block as it is stored that is kept room for between
   *     batches, where the payload is no array
   * @param restingBytes the same of a block as it is decoded
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
   * Decodes the next block and hands it to {@link #block}. Blocks without content are legal.
   *
   * @return false at the end of the stream and after a fault
   */
  public abstract boolean nextBlock(ByteWindow window);

  /** Takes the plain bytes of a block; always true. */
  protected final boolean block(byte[] bytes, int from, int length) {
    block = bytes;
    blockAt = from;
    blockLeft = length;
    return true;
  }

  /** Takes a block that is stored in the payload, which is no array; always true. */
  protected final boolean arraylessBlock(int at, int length) {
    payload.putInto(arrayless, at, length);
    return true;
  }

  /**
   * Copies from the block under way what the window was not given yet.
   *
   * @return how many bytes, at most {@code most}
   */
  public final int take(byte[] target, int at, int most) {
    int bytes = Math.min(blockLeft, most);
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
  public final void release() {
    arrayless.clear();
    block = nothing;
    blockLeft = 0;
    input.release();
    output.release();
  }

  @Override
  public final long heapBytes() {
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
