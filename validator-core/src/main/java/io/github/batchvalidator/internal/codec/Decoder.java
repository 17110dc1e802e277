// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * A stream of plain bytes that refills a {@link ByteWindow}. One instance serves one batch after
 * the other and keeps its contexts and scratch memory between them.
 *
 * <p>Whatever a codec library throws, {@code Error}s included, becomes a fault of the window with
 * the position in the input. Confined to one thread; {@link #close} frees native memory.
 */
public abstract class Decoder implements ReusableResource {

  /** For subclasses. */
  protected Decoder() {}

  /**
   * Exposes the next plain bytes through {@code window}, at least one, or ends.
   *
   * @param window has no readable bytes left
   * @return false at the end of the stream, and after a fault, which the window then knows
   */
  protected abstract boolean refill(ByteWindow window);

  /** {@return the plain bytes that the next refills are going to copy, as a rule none} */
  protected ArraylessBytes arrayless() {
    return ArraylessBytes.NONE;
  }

  /** {@return how many bytes of input were read so far, from the start of the payload} */
  public abstract int inputPosition();

  /** Lets go of the input of the last batch and of scratch memory that only it needed. */
  public abstract void release();
}
