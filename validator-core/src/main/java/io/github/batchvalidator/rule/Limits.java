// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * Upper bounds on what one batch may cost. But for {@code recordBytes}, which also binds what a
 * record declares, they are enforced on bytes that a codec really needs or produces, never on what
 * a batch declares. Immutable, shared freely between threads.
 *
 * @param plainBytes bytes a batch may decompress to; {@link Long#MAX_VALUE} is Kafka's behaviour
 * @param codecMemoryBytes bytes one codec may hold for a window or a block. The default, 128 MiB,
 *     is the largest window that Kafka's zstd reader accepts; lz4 blocks end at 4 MiB anyway. A
 *     Snappy block above it is refused although Kafka would decode it
 * @param recordBytes bytes the body of a record of a compressed batch may declare and may take: the
 *     {@code max.decompressed.message.bytes} of Kafka 4.4. {@link #RECORD_BYTES_UNCHECKED} is what
 *     Kafka did before, {@link #LARGEST_RECORD_BYTES} the default of 4.4
 * @param rebuiltBytes bytes a batch may have that is written anew, and a message of magic 0 or 1
 *     that is read as a whole for that
 */
public record Limits(long plainBytes, int codecMemoryBytes, int recordBytes, int rebuiltBytes) {

  /** A record may declare any size, a negative one too, as in Kafka before 4.4. */
  public static final int RECORD_BYTES_UNCHECKED = Integer.MAX_VALUE;

  /** The largest limit on the size of a record, and the default of Kafka 4.4. */
  public static final int LARGEST_RECORD_BYTES = Integer.MAX_VALUE - 8;

  /** Bounded memory, unbounded work: what Kafka does, less its allocation by declared sizes. */
  public static final Limits MEMORY_ONLY =
      new Limits(Long.MAX_VALUE, 1 << 27, RECORD_BYTES_UNCHECKED, 1 << 27);

  private static final int SMALLEST_CODEC_MEMORY = 1 << 16;
  private static final int LARGEST_CODEC_MEMORY = 1 << 27;

  /**
   * Checks the ranges.
   *
   * @param plainBytes at least 0
   * @param codecMemoryBytes 64 KiB to 128 MiB
   * @param recordBytes 1 to {@link #LARGEST_RECORD_BYTES}, or {@link #RECORD_BYTES_UNCHECKED}
   * @param rebuiltBytes 1 to 2^31 - 9
   */
  public Limits {
    require("plainBytes", plainBytes, 0, Long.MAX_VALUE);
    require("codecMemoryBytes", codecMemoryBytes, SMALLEST_CODEC_MEMORY, LARGEST_CODEC_MEMORY);
    if (recordBytes != RECORD_BYTES_UNCHECKED) {
      require("recordBytes", recordBytes, 1, LARGEST_RECORD_BYTES);
    }
    require("rebuiltBytes", rebuiltBytes, 1, Integer.MAX_VALUE - 8L);
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is not within " + least + " and " + most + ": " + value);
    }
  }

  /**
   * {@return these limits with another bound on the bytes that a batch decompresses to}
   *
   * @param bytes at least 0
   */
  public Limits withPlainBytes(long bytes) {
    return new Limits(bytes, codecMemoryBytes, recordBytes, rebuiltBytes);
  }

  /**
   * {@return these limits with another bound on the memory of one codec}
   *
   * @param bytes 64 KiB to 128 MiB
   */
  public Limits withCodecMemoryBytes(int bytes) {
    return new Limits(plainBytes, bytes, recordBytes, rebuiltBytes);
  }

  /**
   * {@return these limits with another bound on one record of a compressed batch}
   *
   * @param bytes 1 to {@link #LARGEST_RECORD_BYTES}, or {@link #RECORD_BYTES_UNCHECKED}
   */
  public Limits withRecordBytes(int bytes) {
    return new Limits(plainBytes, codecMemoryBytes, bytes, rebuiltBytes);
  }

  /**
   * {@return these limits with another bound on a batch that is written anew}
   *
   * @param bytes 1 to 2^31 - 9
   */
  public Limits withRebuiltBytes(int bytes) {
    return new Limits(plainBytes, codecMemoryBytes, recordBytes, bytes);
  }
}
