// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys of headers that are no text become what Java's strings make of them. */
class Utf8RepairTest {
  /** Parts of characters of every length, whole, cut, overlong, surrogates and beyond. */
  private static final int[][] PARTS = {
    {'a'},
    {0xC3, 0xA9},
    {0xE2, 0x82, 0xAC},
    {0xF0, 0x9F, 0x98, 0x80},
    {0xF4, 0x90, 0x80, 0x80},
    {0xC3},
    {0xE2, 0x82},
    {0xF0, 0x9F, 0x98},
    {0xF0, 0x9F},
    {0xE0, 0x80, 0x80},
    {0xED, 0xA0, 0x80},
    {0xC0, 0x80},
    {0xFF},
    {0x80},
    {0xF8, 0x88, 0x80, 0x80, 0x80}
  };

  private final Utf8Repair repair = new Utf8Repair();
  private final OutputBuffer output = new OutputBuffer();

  @Test
  void repairsAreThoseOfJavasStrings() {
    Random random = new Random(11);
    for (int size : new int[] {0, 1, 2, 3, 4, 10, 100, 4095, 4096, 4097, 20_000}) {
      for (int i = 0; i < 50; i++) {
        byte[] text = text(random, size, i % 4 == 0 ? 1 : PARTS.length);
        byte[] expected = new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
        output.start(Integer.MAX_VALUE);
        assertEquals(expected.length, repair.length(text, 0, size));
        repair.write(text, 0, size, output);
        assertArrayEquals(expected, Written.to(output));
      }
    }
  }

  private static byte[] text(Random random, int size, int kinds) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < size) {
      for (int each : PARTS[random.nextInt(kinds)]) {
        text.write(each);
      }
    }
    return Arrays.copyOf(text.toByteArray(), size);
  }

  /** Otherwise a few bytes on the wire would take several times what a rebuild may take. */
  @Test
  void repairedHeadersCountTowardTheLimitOfTheBatch() {
    int keyBytes = 300;
    int rewritten = 2 + 3 * keyBytes + 1;
    for (int limit : new int[] {rewritten - 1, rewritten}) {
      OutputRecord each = malformed(keyBytes);
      output.start(limit);
      Encoder encoder = new Swallowing();
      encoder.open(output, 3, 2);
      new RecordWriter().write(each, 0, 0, encoder);
      if (limit == rewritten) {
        assertNull(output.failure());
        assertEquals(rewritten, each.headersSize);
      } else {
        assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
        assertEquals(limit, output.fault().second());
      }
    }
  }

  /** Many small records are a batch, too. */
  @Test
  void aRecordAllocatesLittle() {
    output.start(1 << 20);
    Encoder encoder = new Swallowing();
    encoder.open(output, 3, 2);
    RecordWriter writer = new RecordWriter();
    long bytes =
        AllocationMeter.bytesPerCall(
            AllocationMeter.CALLS, 1024, () -> writer.write(malformed(1), 0, 0, encoder));
    assertTrue(bytes <= 1024, () -> bytes + " bytes");
  }

  /** Returns a record without key and value, and one header with a null value. */
  private static OutputRecord malformed(int keyBytes) {
    byte[] key = new byte[keyBytes];
    Arrays.fill(key, (byte) 0xFF);
    OutputRecord item = new OutputRecord();
    item.keySize = -1;
    item.valueSize = -1;
    item.headers = Bytes.concat(RecordBytes.varint(keyBytes, 1), key, RecordBytes.varint(-1, 1));
    item.headersSize = item.headers.length;
    item.headerCount = 1;
    return item;
  }
}
