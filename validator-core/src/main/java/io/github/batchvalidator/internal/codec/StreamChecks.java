// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Level;

/**
 * The checksums of a compressed stream that a decoder verifies in addition to those that every
 * reader verifies. Only lz4 has such checksums.
 */
public enum StreamChecks {
  /** The checks of Kafka's reader of magic 1 and 2. Kafka skips the checksum of the content. */
  KAFKA(true, false),

  /**
   * The checks of Kafka's reader of magic 0. The writers of magic 0 computed the checksum of the
   * frame header over too many bytes (KAFKA-3160).
   */
  KAFKA_MAGIC_0(false, false),

  /** The checks of level {@link Level#STRICT} for magic 1 and 2. */
  STRICT(true, true),

  /** The checks of level {@link Level#STRICT} for magic 0. */
  STRICT_MAGIC_0(false, true);

  private final boolean headerChecksum;
  private final boolean contentChecksum;

  StreamChecks(boolean headerChecksum, boolean contentChecksum) {
    this.headerChecksum = headerChecksum;
    this.contentChecksum = contentChecksum;
  }

  /**
   * Returns the checks for a batch.
   *
   * @param magic the magic of the batch, 0 to 2
   * @param strictly true if the findings of level {@link Level#STRICT} are wanted
   * @return the checks
   */
  public static StreamChecks of(byte magic, boolean strictly) {
    if (magic == 0) {
      return strictly ? STRICT_MAGIC_0 : KAFKA_MAGIC_0;
    }
    return strictly ? STRICT : KAFKA;
  }

  /** {@return true if the checksum of an lz4 frame header is verified} */
  public boolean verifiesHeaderChecksum() {
    return headerChecksum;
  }

  /** {@return true if the checksum of the content of an lz4 frame is computed and compared} */
  public boolean verifiesContentChecksum() {
    return contentChecksum;
  }
}
