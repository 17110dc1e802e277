// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.ReusableResource;
import org.jspecify.annotations.Nullable;

/**
 * An inflater for the deflate streams (RFC 1951) of the members of a gzip payload, one after
 * another. The caller reads headers and trailers. Confined to one thread.
 */
abstract class MemberInflater implements ReusableResource {
  /** Returned by {@link #inflate}: the payload ends before the stream. */
  static final int CUT = -1;

  /** Returned by {@link #inflate}: the deflate stream is invalid. */
  static final int CORRUPT = -2;

  MemberInflater() {}

  /**
   * Opens a payload.
   *
   * @param source the payload, valid until {@link #release}
   * @param memoryLimit the maximum number of bytes to copy at a time, if the payload has no array
   */
  abstract void open(Payload source, int memoryLimit);

  /** Starts a stream at a position of the payload. */
  abstract void start(int from);

  /**
   * Inflates the next plain bytes.
   *
   * @param max the maximum number of bytes, from 1 to the size of the window
   * @return the number of bytes in {@link #array()} from {@link #from()} on; 0 if there are none
   *     yet or, with {@link #ended()}, no more; or {@link #CUT} or {@link #CORRUPT}
   */
  abstract int inflate(int max);

  /** {@return the exception that led to the last {@link #CORRUPT}, or null} */
  abstract @Nullable Throwable cause();

  /** {@return the array with the last bytes} */
  abstract byte[] array();

  /** {@return the index in {@link #array()} of the first of the last bytes} */
  abstract int from();

  /** {@return true if the stream ended with the last bytes} */
  abstract boolean ended();

  /** {@return the position in the payload of the next unconsumed byte} */
  abstract int position();

  /** Drops the payload. */
  abstract void release();
}
