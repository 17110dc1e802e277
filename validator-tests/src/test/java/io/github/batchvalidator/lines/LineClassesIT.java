// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In their loaders, Kafka's classes find the codecs that they find in a broker. */
class LineClassesIT {
  private static final int LZ4_HEADER_BYTES = 7;

  /**
   * A record whose first fields come out of a match of offset 0, which no encoder writes: what it
   * yields depends on who decodes it.
   */
  private static final byte[] LZ4_BLOCK = {
    0x10, 15 << 1, 0, 0, (byte) 0xC0, 10 << 1, 'v', 'a', 'l', 'u', 'e', 'v', 'a', 'l', 'u', 'e', 0
  };

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void lz4IsNative(KafkaLine line) throws ReflectiveOperationException {
    LinePair pair = LinePair.of(line);
    assertEquals("LZ4Factory:JNI", lz4(pair.stock()));
    assertEquals("LZ4Factory:JNI", lz4(pair.ours()));
  }

  /** Returns the LZ4 implementation that Kafka's stream uses. */
  private static String lz4(LineSide side) throws ReflectiveOperationException {
    ClassLoader loader = side.classes().validator().getClassLoader();
    return loader
        .loadClass("net.jpountz.lz4.LZ4Factory")
        .getMethod("fastestInstance")
        .invoke(null)
        .toString();
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void matchOfOffsetZero(KafkaLine line) {
    byte[] header = Arrays.copyOf(Batches.compress(Codec.LZ4, new byte[1]), LZ4_HEADER_BYTES);
    byte[] stream =
        ByteBuffer.allocate(header.length + LZ4_BLOCK.length + 2 * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(header)
            .putInt(LZ4_BLOCK.length)
            .put(LZ4_BLOCK)
            .array();
    byte[] batch = Batches.ofPayload(Codec.LZ4, 1, stream).array();
    Settings settings = Settings.of(Codec.LZ4, Batches.nowMs());
    Outcome outcome = LinePair.of(line).ask(new Append(batch, BufferKind.HEAP, settings));
    assertEquals(Set.of(), outcome.differences(), outcome::toString);
    assertTrue(outcome.stock().accepted(), outcome::toString);
  }
}
