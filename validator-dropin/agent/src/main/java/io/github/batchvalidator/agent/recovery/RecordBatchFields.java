// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.nio.ByteBuffer;

/** The positions of the fields in the header of a record batch of magic 2. */
final class RecordBatchFields {
  static final int BASE_OFFSET = 0;
  static final int LENGTH = 8;
  static final int LEADER_EPOCH = 12;
  static final int MAGIC = 16;
  static final int CRC = 17;
  static final int ATTRIBUTES = 21;
  static final int LAST_OFFSET_DELTA = 23;
  static final int MAX_TIMESTAMP = 35;
  static final int PRODUCER_ID = 43;
  static final int PRODUCER_EPOCH = 51;
  static final int RECORD_COUNT = 57;
  static final int HEADER_BYTES = 61;

  /** The bytes before those that the length counts. */
  static final int LOG_OVERHEAD = LENGTH + Integer.BYTES;

  static final int TRANSACTIONAL = 0x10;
  static final int CONTROL = 0x20;
  static final short NO_EPOCH = -1;

  private RecordBatchFields() {}

  /**
   * Returns the size of the batch at an index.
   *
   * @return the size in bytes, or -1 if no batch of magic 2 starts here that ends within the limit
   */
  static int sizeAt(ByteBuffer buffer, int index, int limit) {
    int length = buffer.getInt(index + LENGTH);
    boolean fits = length >= HEADER_BYTES - LOG_OVERHEAD && length <= limit - LOG_OVERHEAD;
    return fits && buffer.get(index + MAGIC) == 2 ? length + LOG_OVERHEAD : -1;
  }
}
