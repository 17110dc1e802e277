// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import java.util.function.IntFunction;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The level that Kafka keeps to itself is found. */
class TargetsTest {
  private final Targets targets = new Targets();

  @ParameterizedTest
  @EnumSource(Codec.class)
  void takesTheDefaultLevel(Codec codec) {
    assertEquals(Target.of(codec), targets.get(Batches.compression(codec), codec));
  }

  @Test
  void findsEveryLevel() {
    check(Codec.GZIP, 1, 9, level -> Compression.gzip().level(level).build());
    check(Codec.GZIP, -1, -1, level -> Compression.gzip().level(level).build());
    check(Codec.LZ4, 1, 17, level -> Compression.lz4().level(level).build());
    check(Codec.ZSTD, -200, 22, level -> Compression.zstd().level(level).build());
    check(Codec.ZSTD, -131_072, -131_000, level -> Compression.zstd().level(level).build());
  }

  @Test
  void remembersTheLastOne() {
    Target target = targets.get(Compression.zstd().level(7).build(), Codec.ZSTD);
    assertSame(target, targets.get(Compression.zstd().level(7).build(), Codec.ZSTD));
    assertEquals(Target.of(Codec.NONE), targets.get(Compression.NONE, Codec.NONE));
    assertEquals(target, targets.get(Compression.zstd().level(7).build(), Codec.ZSTD));
  }

  private void check(Codec codec, int least, int most, IntFunction<Compression> build) {
    for (int level = least; level <= most; level++) {
      assertEquals(new Target(codec, level), targets.get(build.apply(level), codec));
    }
  }
}
