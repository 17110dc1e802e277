// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Target;
import org.apache.kafka.common.compress.Compression;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a topic's compression means to the core. Remembers the last one, so that appends to
 * topics of the same settings make nothing. Confined to one thread.
 *
 * <p>Kafka's compression classes keep their level to themselves. What they do show, {@code
 * hashCode} and {@code equals}, depends on nothing else, and gives it away.
 */
final class Targets {
  private static final int HASH_OF_LEVEL_0 = 31;

  private @Nullable Compression compression;
  private Target target = Target.of(Codec.NONE);

  /**
   * {@return the codec and level of a compression}
   *
   * @param of the compression
   * @param codec its type
   * @param form magic and timestamp type
   */
  Target get(Compression of, Codec codec, Target form) {
    boolean sameCompression =
        compression == of || (codec == target.codec() && of.equals(compression));
    if (!sameCompression
        || target.magic() != form.magic()
        || target.timestampType() != form.timestampType()) {
      target = new Target(codec, level(of, codec), form.magic(), form.timestampType());
    }
    compression = of;
    return target;
  }

  private static int level(Compression of, Codec codec) {
    int level = of.hashCode() - HASH_OF_LEVEL_0;
    return codec.hasLevel(level) && of.equals(build(codec, level)) ? level : codec.defaultLevel();
  }

  private static @Nullable Compression build(Codec codec, int level) {
    return switch (codec) {
      case NONE, SNAPPY -> null;
      case GZIP -> Compression.gzip().level(level).build();
      case LZ4 -> Compression.lz4().level(level).build();
      case ZSTD -> Compression.zstd().level(level).build();
    };
  }
}
