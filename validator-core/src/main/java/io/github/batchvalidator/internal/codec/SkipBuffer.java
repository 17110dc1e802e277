// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * The fixed buffer through which records are skipped instead of being materialised (KAFKA-8106):
 * key, value and header bytes pass through it and are forgotten.
 *
 * <p>It is the window of {@link InputStreamDecoder}, and that of every decoder in the low-memory
 * mode of {@link Decoders}.
 */
public final class SkipBuffer {
  /** The size of the buffer, whatever the size of records and batches. */
  public static final int FIXED_BYTES = 2048;

  private SkipBuffer() {}

  /** {@return a new buffer, to be kept for as long as its decoder lives} */
  public static byte[] create() {
    return new byte[FIXED_BYTES];
  }
}
