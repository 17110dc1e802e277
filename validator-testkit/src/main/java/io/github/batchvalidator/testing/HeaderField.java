// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.format.BatchLayout;
import java.nio.ByteBuffer;

/** The fields of a batch header, to be overwritten. */
public enum HeaderField {
  BASE_OFFSET(BatchLayout.BASE_OFFSET_OFFSET, Long.BYTES),
  LENGTH(BatchLayout.LENGTH_OFFSET, Integer.BYTES),
  PARTITION_LEADER_EPOCH(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, Integer.BYTES),
  MAGIC(BatchLayout.MAGIC_OFFSET, Byte.BYTES),
  CRC(BatchLayout.CRC_OFFSET, Integer.BYTES),
  ATTRIBUTES(BatchLayout.ATTRIBUTES_OFFSET, Short.BYTES),
  LAST_OFFSET_DELTA(BatchLayout.LAST_OFFSET_DELTA_OFFSET, Integer.BYTES),
  BASE_TIMESTAMP(BatchLayout.BASE_TIMESTAMP_OFFSET, Long.BYTES),
  MAX_TIMESTAMP(BatchLayout.MAX_TIMESTAMP_OFFSET, Long.BYTES),
  PRODUCER_ID(BatchLayout.PRODUCER_ID_OFFSET, Long.BYTES),
  PRODUCER_EPOCH(BatchLayout.PRODUCER_EPOCH_OFFSET, Short.BYTES),
  BASE_SEQUENCE(BatchLayout.BASE_SEQUENCE_OFFSET, Integer.BYTES),
  RECORD_COUNT(BatchLayout.RECORD_COUNT_OFFSET, Integer.BYTES);

  private final int at;
  private final int bytes;

  HeaderField(int at, int bytes) {
    this.at = at;
    this.bytes = bytes;
  }

  /** Writes the low bytes of a value into the batch at index 0; returns the same buffer. */
  public ByteBuffer set(ByteBuffer batch, long value) {
    for (int i = 0; i < bytes; i++) {
      batch.put(at + i, (byte) (value >> (Byte.SIZE * (bytes - 1 - i))));
    }
    return batch;
  }

  /** Returns the field, with its sign. */
  public long get(ByteBuffer batch) {
    long value = batch.get(at);
    for (int i = 1; i < bytes; i++) {
      value = value << Byte.SIZE | (batch.get(at + i) & 0xFF);
    }
    return value;
  }
}
