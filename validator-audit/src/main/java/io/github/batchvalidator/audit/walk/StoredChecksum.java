// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;

/** The checksum of a stored batch. It covers the batch from {@link #coveredFrom} to its end. */
public enum StoredChecksum {
  /** The CRC-32C of magic 2. */
  CRC32C(BatchLayout.CRC_OFFSET, BatchLayout.ATTRIBUTES_OFFSET, BatchLayout.HEADER_BYTES),
  /** The CRC-32 of magic 0 and 1. */
  CRC32(LegacyLayout.CRC_OFFSET, LegacyLayout.MAGIC_OFFSET, LegacyLayout.SMALLEST_BYTES);

  private final int offset;
  private final int coveredFrom;
  private final int leastBytes;

  StoredChecksum(int offset, int coveredFrom, int leastBytes) {
    this.offset = offset;
    this.coveredFrom = coveredFrom;
    this.leastBytes = leastBytes;
  }

  /** Returns the checksum of batches of a magic from 0 to 2. */
  public static StoredChecksum of(byte magic) {
    return magic == BatchLayout.MAGIC_V2 ? CRC32C : CRC32;
  }

  /** Returns where the checksum is, in bytes from the start of the prefix. */
  public int offset() {
    return offset;
  }

  /** Returns the position of the first byte that it covers, from the start of the prefix. */
  public int coveredFrom() {
    return coveredFrom;
  }

  /** Returns the minimum size of a batch with this checksum, prefix included. */
  public int leastBytes() {
    return leastBytes;
  }
}
