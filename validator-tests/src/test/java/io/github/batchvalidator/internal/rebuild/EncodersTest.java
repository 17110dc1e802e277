// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncodersTest {
  @ParameterizedTest
  @EnumSource
  void oneEncoderPerCodec(Codec codec) {
    try (Encoders encoders = new Encoders()) {
      Encoder encoder = Objects.requireNonNull(encoders.get(codec));
      assertSame(encoder, encoders.get(codec));
      assertNull(encoders.unavailableCause(codec));
    }
  }

  @Test
  void statesTheMemoryOfAllOfThemUntilClosed() {
    Encoders encoders = new Encoders();
    assertEquals(0, encoders.heapBytes());
    assertEquals(0, encoders.nativeBytes());
    long heap = 0;
    long outside = 0;
    for (Codec codec : Codec.values()) {
      Encoder encoder = Objects.requireNonNull(encoders.get(codec));
      heap += encoder.heapBytes();
      outside += encoder.nativeBytes();
    }
    assertEquals(heap, encoders.heapBytes());
    assertEquals(outside, encoders.nativeBytes());
    assertTrue(heap > 0 && outside > 0);
    encoders.close();
    encoders.close();
    assertEquals(0, encoders.heapBytes());
    assertEquals(0, encoders.nativeBytes());
  }

  /** Tried are the levels around both ends of every range, and 0. */
  @ParameterizedTest
  @EnumSource(names = {"GZIP", "LZ4", "ZSTD"})
  void levelsAreThoseOfKafka(Codec codec) {
    int[] levels = {-131_073, -131_072, -2, -1, 0, 1, 2, 9, 10, 17, 18, 22, 23};
    for (int level : levels) {
      if (codec.hasLevel(level)) {
        Batches.compression(codec, level);
      } else {
        assertThrows(
            IllegalArgumentException.class,
            () -> Batches.compression(codec, level),
            () -> codec + " level " + level);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "SNAPPY"})
  void codecsWithoutLevelsHaveOnlyTheDefault(Codec codec) {
    assertEquals(codec.defaultLevel(), Target.of(codec).level());
    for (int level : new int[] {-1, 1, 3, 9}) {
      assertThrows(IllegalArgumentException.class, () -> Target.of(codec, level));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "LZ4", "ZSTD"})
  void defaultLevelsAreThoseOfKafka(Codec codec) {
    assertEquals(Batches.compression(codec), Batches.compression(codec, codec.defaultLevel()));
  }
}
