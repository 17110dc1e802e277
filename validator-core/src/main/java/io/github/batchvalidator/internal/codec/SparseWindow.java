// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;

/**
 * A window over the plain bytes of a compressed payload in which only requested bytes are
 * materialized. All other bytes are checked as the codec's library checks them, but stay
 * compressed.
 *
 * <p>A sparse window is an alternative to a {@link PayloadDecoder}, for readers that look at few
 * bytes. It never reports a fault. It declines instead, for any reason and at any time, and the
 * reader starts again with the decoder.
 *
 * <p>Reused for every batch. Never allocates after its first use, never throws. Confined to one
 * thread.
 */
public abstract class SparseWindow {
  /** The maximum number of bytes to request at a time. */
  public static final int MOST_BYTES = 256;

  protected SparseWindow() {}

  /**
   * Starts at a payload if it is worthwhile and all limits are kept. Reads only the headers of the
   * stream and of its blocks.
   *
   * @param source the payload, valid until {@link #release}
   * @param records the number of records that the batch declares
   * @param limits the limits of the stream
   * @return false if the payload is left to its decoder
   */
  public abstract boolean open(Payload source, int records, Limits limits);

  /** {@return the number of plain bytes of the payload} */
  public abstract int length();

  /**
   * Materializes bytes. Bytes before the position may be lost afterwards.
   *
   * @param position plain position of the first byte
   * @param bytes the number of bytes, at most {@value #MOST_BYTES}; cut at the end of the payload
   * @return the index in {@link #array()} of the first byte, or -1 if the window declines; eight
   *     more bytes are within the array
   */
  public abstract int request(int position, int bytes);

  /** {@return the array with the materialized bytes} */
  public abstract byte[] array();

  /**
   * Ends the use of a payload for which {@link #open} returned true. After a payload that was read
   * in vain, the next ones are left to their decoder.
   *
   * @param used true if the reader does not need the decoder
   */
  public abstract void conclude(boolean used);

  /** Drops the payload. */
  public abstract void release();

  /** {@return the heap bytes that are held between batches} */
  public abstract long heapBytes();
}
