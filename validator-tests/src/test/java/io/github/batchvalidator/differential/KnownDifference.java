// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

/**
 * An intended difference between our answer and Kafka's. Each constant is a row of {@code
 * docs/compatibility.md}, which says why.
 */
enum KnownDifference {
  /** Kafka fails with a raw exception on codec ids 5 to 7; ours is a coded reject. */
  CODEC_ID_UNKNOWN,
  /** Kafka fails with a raw exception on a length field near its largest value. */
  LENGTH_NEAR_OVERFLOW,
  /** Kafka reads past the end of a batch that is shorter than its header. */
  HEADER_CUT,
  /** Kafka fails with a raw exception where the length of an uncompressed record does not end. */
  PLAIN_LENGTH_ENDLESS,
  /** Kafka fails with a raw exception on compressed records whose offsets are not 0, 1, 2, ... */
  OFFSETS_NOT_SEQUENTIAL,
  /** An exception or error of a codec library passes through Kafka unwrapped. */
  CODEC_FAILURE_UNWRAPPED,
  /** Kafka reads past the end of a message of magic 0 or 1 whose fields do not fit in it. */
  LEGACY_FIELD_BEYOND_END,
  /** Kafka fails on the text about a failing message whose fields do not fit in it. */
  LEGACY_RECORD_WITHOUT_TEXT,
  /** Kafka allocates what a message of magic 0 or 1 in a compressed one declares. */
  LEGACY_SIZE_DECLARED,
  /**
   * A wrong stored checksum that no rule checks: our stamp leaves it wrong, Kafka recomputes it.
   */
  WRONG_CHECKSUM_KEPT,
  /** A compressed stream and a record in it are both at fault: which one is met first differs. */
  STREAM_AND_RECORD_AT_FAULT,
  /** Two batches in one buffer: which of the two faults is met first differs. */
  SECOND_BATCH_AND_OTHER_FAULT,
  /** Kafka stops at an LZ4 block that decodes to nothing and misses the blocks after it. */
  LZ4_BLOCK_BEHIND_EMPTY_BLOCK,
  /** Kafka's gzip reader overflows the stack on very many empty members; ours walks them. */
  GZIP_MANY_EMPTY_MEMBERS,
  /** Kafka's Snappy reader overflows the stack on very many headers in a row; ours walks them. */
  SNAPPY_MANY_HEADERS,
  /** A read of an older JDK ends after a gzip trailer and a lone member header. */
  GZIP_BARE_HEADER,
  /** A complete zstd frame, then a cut one: Kafka's answer depends on the library's version. */
  ZSTD_CUT_FRAME,
  /** A Snappy block above the memory limit is refused; Kafka allocates whatever it declares. */
  SNAPPY_BLOCK_ABOVE_LIMIT,
  /** Kafka treats a damaged header inside a Snappy stream as the end. */
  SNAPPY_CHUNK_BEHIND_DAMAGED_HEADER,
  /** A zstd frame that Kafka decodes at once has to keep to its window where ours is smaller. */
  ZSTD_CONTENT_SIZE_IN_LOW_MEMORY,
  /** A zstd frame that fits in one read is decoded by Kafka whatever window it asks for. */
  ZSTD_WINDOW_NOT_NEEDED,
  /** More plain bytes than an int counts: Kafka's own sum overflows, ours is a default limit. */
  PLAIN_BYTES_BEYOND_INT
}
