// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.rule.Reason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A record that compresses well may have more plain bytes than its length field can express. */
class LargestRecordTest {
  private static final int MOST = Integer.MAX_VALUE;

  private final OutputBuffer output = new OutputBuffer();
  private final Encoder encoder = new Swallowing();
  private final OutputRecord item = new OutputRecord();

  @BeforeEach
  void open() {
    output.start(1);
    encoder.open(output, 3, 2);
    item.array = new byte[1];
    item.canonicalHeaders = true;
    item.keySize = 1;
  }

  private int write(int valueSize, int headersSize) {
    item.valueSize = valueSize;
    item.headersSize = headersSize;
    item.headerCount = headersSize > 0 ? 1 : 0;
    return new RecordWriter().write(item, 0, 0, encoder);
  }

  @Test
  void aRecordOfMagic2() {
    int beside = 1 + 1 + 1 + 2 + 5 + 1; // attributes, two deltas, key, two counts
    int length = 5;
    assertEquals(MOST, write(MOST - beside - length, 0));
    assertNull(output.failure());
    assertEquals(0, write(MOST - beside - length + 1, 0));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
    assertEquals(MOST + 1L, output.fault().first());
    assertEquals(MOST, output.fault().second());
  }

  /** Of one that fits, the bytes would be summed up, which must be there. */
  @Test
  void aMessageOfMagic1() {
    int beside =
        12 + 4 + 1 + 1 + 8 + 4 + 1 + 4; // offset and size, CRC to timestamp, key, value size
    item.valueSize = MOST - beside + 1;
    assertEquals(0, new MessageWriter().write(item, (byte) 1, 0, 0, encoder));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
    assertEquals(MOST + 1L, output.fault().first());
  }

  @Test
  void aRecordWithHeaders() {
    assertEquals(0, write(1 << 30, 1 << 30));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
  }
}
