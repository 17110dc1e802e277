// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The short path's check for Kafka's own encoding, with numbers of any length. */
final class RecordEncodingTest {
  private static final int MOST_BYTES = 3;
  private static final int[] NUMBERS = {
    0, -1, 1, 63, -64, 64, 127, 128, 8191, -8192, 8192, 1 << 19
  };

  /** Bytes that may follow the numbers. */
  private static final int[] BEHIND = {0x00, 0x01, 0x7F, 0x80, 0xFF};

  @Test
  void aHeadIsRegularIfBothNumbersAreShortest() {
    for (int first : NUMBERS) {
      for (int second : NUMBERS) {
        for (int least = 1; least <= MOST_BYTES; least++) {
          for (int leastOfSecond = 1; leastOfSecond <= MOST_BYTES; leastOfSecond++) {
            compare(
                varint(first, least),
                varint(second, leastOfSecond),
                isShortest(first, least) && isShortest(second, leastOfSecond));
          }
        }
      }
    }
  }

  private static boolean isShortest(int number, int bytes) {
    return varint(number, 1).length >= bytes;
  }

  private static void compare(byte[] first, byte[] second, boolean expected) {
    int bytes = first.length + second.length;
    for (int attributes : new int[] {0, 1, 0x80}) {
      for (int behind : BEHIND) {
        for (int further : BEHIND) {
          ByteBuffer head = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
          head.put((byte) attributes).put(first).put(second).put((byte) behind);
          if (head.hasRemaining()) {
            head.put((byte) further);
          }
          assertEquals(
              expected && attributes == 0,
              RecordEncoding.isRegularHead(head.getLong(0), bytes),
              () -> Long.toHexString(head.getLong(0)) + " with " + bytes);
        }
      }
    }
  }

  @Test
  void aNumberOfOneOrTwoBytesIsShortestOrNot() {
    for (int low = 0; low <= 0xFF; low++) {
      for (int high = 0; high <= 0xFF; high++) {
        boolean isTooLong = low >= 0x80 && high == 0;
        assertEquals(
            !isTooLong, RecordEncoding.isShortest(high << Byte.SIZE | low), low + ", " + high);
      }
    }
  }
}
