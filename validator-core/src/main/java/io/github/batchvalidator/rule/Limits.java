// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * Upper bounds on what one batch may cost, enforced on bytes that a codec really needs or produces,
 * never on what a batch declares. Immutable, shared freely between threads.
 *
 * @param plainBytes bytes a batch may decompress to; {@link Long#MAX_VALUE} is Kafka's behaviour
 * @param codecMemoryBytes bytes one codec may hold for a window or a block. The default, 128 MiB,
 *     is the largest window that Kafka's zstd reader accepts; lz4 blocks end at 4 MiB anyway. A
 *     Snappy block above it is refused although Kafka would decode it
 */
public record Limits(long plainBytes, int codecMemoryBytes) {

  /** Bounded memory, unbounded work: what Kafka does, less its allocation by declared sizes. */
  public static final Limits MEMORY_ONLY = new Limits(Long.MAX_VALUE, 1 << 27);

  /**
   * Checks the ranges.
   *
   * @param plainBytes at least 0
   * @param codecMemoryBytes 64 KiB to 128 MiB
   */
  public Limits {
    if (plainBytes < 0) {
      throw new IllegalArgumentException("plainBytes is negative: " + plainBytes);
    }
    if (codecMemoryBytes < 1 << 16 || codecMemoryBytes > 1 << 27) {
      throw new IllegalArgumentException(
          "codecMemoryBytes is not within 64 KiB and 128 MiB: " + codecMemoryBytes);
    }
  }

  /**
   * {@return these limits with another bound on the bytes that a batch decompresses to}
   *
   * @param bytes at least 0
   */
  public Limits withPlainBytes(long bytes) {
    return new Limits(bytes, codecMemoryBytes);
  }

  /**
   * {@return these limits with another bound on the memory of one codec}
   *
   * @param bytes 64 KiB to 128 MiB
   */
  public Limits withCodecMemoryBytes(int bytes) {
    return new Limits(plainBytes, bytes);
  }
}
