// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;

/** Numbers are written as Kafka writes them. */
class RecordLayoutTest {
  /** Around them, numbers get longer by a byte. */
  private static LongStream numbers(int bits) {
    return LongStream.range(0, bits)
        .flatMap(bit -> LongStream.of((1L << bit) - 1, 1L << bit, -1L << bit, (-1L << bit) - 1));
  }

  @Test
  void varints() {
    numbers(Integer.SIZE)
        .mapToInt(number -> (int) number)
        .forEach(
            number -> {
              ByteBuffer kafkas = ByteBuffer.allocate(RecordLayout.MAX_VARINT_BYTES);
              ByteUtils.writeVarint(number, kafkas);
              assertEquals(kafkas.position(), RecordLayout.sizeOfVarint(number));
              byte[] ours = new byte[3 + RecordLayout.MAX_VARINT_BYTES];
              int end = RecordLayout.putVarint(ours, 3, number);
              assertEquals(3 + kafkas.position(), end);
              assertArrayEquals(kafkas.array(), Arrays.copyOfRange(ours, 3, ours.length));
            });
  }

  @Test
  void varlongs() {
    numbers(Long.SIZE)
        .forEach(
            number -> {
              ByteBuffer kafkas = ByteBuffer.allocate(RecordLayout.MAX_VARLONG_BYTES);
              ByteUtils.writeVarlong(number, kafkas);
              assertEquals(kafkas.position(), RecordLayout.sizeOfVarlong(number));
              byte[] ours = new byte[3 + RecordLayout.MAX_VARLONG_BYTES];
              int end = RecordLayout.putVarlong(ours, 3, number);
              assertEquals(3 + kafkas.position(), end);
              assertArrayEquals(kafkas.array(), Arrays.copyOfRange(ours, 3, ours.length));
            });
  }
}
