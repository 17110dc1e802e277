// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * The fixed buffer through which records are skipped without being materialized (KAFKA-8106). Bytes
 * of keys, values and headers pass through it and are dropped.
 *
 * <p>It is the window of {@link InputStreamDecoder}. Decoders in low-memory mode have windows of
 * its size.
 */
public final class SkipBuffer {
  /** The size of the buffer in bytes, for any size of records and batches. */
  public static final int FIXED_BYTES = 2048;

  private SkipBuffer() {}

  /** {@return a new buffer, to keep for the lifetime of its decoder} */
  public static byte[] create() {
    return new byte[FIXED_BYTES];
  }
}
