// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * A source of plain bytes that refills a {@link ByteWindow}. An instance is reused for one batch
 * after another and keeps its contexts and scratch memory.
 *
 * <p>Every exception and {@code Error} of a codec library becomes a fault of the window, with the
 * position in the input. Confined to one thread. {@link #close} frees native memory.
 */
public abstract class Decoder implements ReusableResource {

  protected Decoder() {}

  /**
   * Exposes at least one more plain byte through the window, unless the stream has ended.
   *
   * @param window the window, without readable bytes; records a fault
   * @return false at the end of the stream and after a fault
   */
  protected abstract boolean refill(ByteWindow window);

  /** {@return the plain bytes that the next refills will copy, none for most decoders} */
  protected ArraylessBytes arrayless() {
    return ArraylessBytes.NONE;
  }

  /** {@return the number of payload bytes read so far} */
  public abstract int inputPosition();

  /** Releases the input of the last batch and the scratch memory that only this batch needed. */
  public abstract void release();
}
