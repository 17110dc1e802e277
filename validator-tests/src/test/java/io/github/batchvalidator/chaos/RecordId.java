// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Names a record, and determines its value.
 *
 * @param writer who sent it
 * @param sequence ascends for a writer
 */
record RecordId(int writer, int sequence) {
  private static final int ID_BYTES = 2 * Integer.BYTES;
  private static final int MOST_MORE_BYTES = 500;

  /** Returns the value: the id, then bytes that compress to about half. */
  byte[] value() {
    Random random = new Random(31L * writer + sequence);
    ByteBuffer value = ByteBuffer.allocate(ID_BYTES + random.nextInt(MOST_MORE_BYTES));
    value.putInt(writer).putInt(sequence);
    while (value.hasRemaining()) {
      value.put((byte) ('a' + random.nextInt(16)));
    }
    return value.array();
  }

  /** Reads the id of a value. */
  static RecordId of(byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new RecordId(bytes.getInt(), bytes.getInt());
  }
}
