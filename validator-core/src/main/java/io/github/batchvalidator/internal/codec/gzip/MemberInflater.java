// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.ReusableResource;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the deflate streams (RFC 1951) of the members of a gzip payload, one behind the other.
 * Headers and trailers are not its business. Confined to one thread.
 */
abstract class MemberInflater implements ReusableResource {
  /** Returned by {@link #inflate}: the payload ends before the stream. */
  static final int CUT = -1;

  /** Returned by {@link #inflate}: no deflate stream. */
  static final int CORRUPT = -2;

  MemberInflater() {}

  /**
   * Takes a payload.
   *
   * @param source valid until {@link #release}
   * @param memoryLimit how many of its bytes may be copied at a time, if it is no array
   */
  abstract void open(Payload source, int memoryLimit);

  /** Starts the stream at a position of the payload. */
  abstract void start(int from);

  /**
   * Inflates the next plain bytes.
   *
   * @param most how many, at least 1 and at most as many as the window has
   * @return how many lie in {@link #array()} from {@link #from()} on; 0 if there are none yet or,
   *     with {@link #ended()}, no more; {@link #CUT} or {@link #CORRUPT}
   */
  abstract int inflate(int most);

  /** {@return the exception behind the last {@link #CORRUPT}, or null} */
  abstract @Nullable Throwable cause();

  /** {@return the array that holds the last bytes} */
  abstract byte[] array();

  /** {@return where in {@link #array()} they start} */
  abstract int from();

  /** {@return true if the last bytes were those at the end of the stream} */
  abstract boolean ended();

  /** {@return the position in the payload of the next byte that was not consumed} */
  abstract int position();

  /** Lets go of the payload. */
  abstract void release();
}
