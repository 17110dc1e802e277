// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import org.apache.kafka.common.compress.Compression;
import org.jspecify.annotations.Nullable;

/**
 * A translator from Kafka's {@code Compression} to the core's {@link Target}. Remembers the last
 * result, so that appends to topics of the same settings allocate nothing. Confined to one thread.
 *
 * <p>Kafka's compression classes do not expose their level. Their {@code hashCode} depends on the
 * level only, so the level is computed from it and confirmed with {@code equals}.
 */
public final class Targets {
  private static final int HASH_OF_LEVEL_0 = 31;

  private @Nullable Compression compression;
  private Target target = Target.of(Codec.NONE);
  private @Nullable Policy lastPolicy;
  private @Nullable Policy lastStoring;

  /** Creates a translator without a last result. */
  public Targets() {}

  /**
   * Returns the policy for a topic that stores another codec than the received one.
   *
   * @param policy the policy of the append
   * @param of what the topic stores
   * @param codec the codec of the compression
   * @return the policy, with codec and level of the compression as target
   */
  @SuppressWarnings("ReferenceEquality") // an equal policy may belong to rules that were replaced
  public Policy storing(Policy policy, Compression of, Codec codec) {
    Target stored = get(of, codec, policy.target());
    Policy storing = lastStoring;
    if (storing == null || policy != lastPolicy || !storing.target().equals(stored)) {
      storing = policy.toBuilder().target(stored).build();
      lastPolicy = policy;
      lastStoring = storing;
    }
    return storing;
  }

  /**
   * Returns the target for a compression.
   *
   * @param of the compression
   * @param codec the codec of the compression
   * @param form the magic and timestamp type of the target
   * @return the target
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

  /**
   * Returns the level of a compression.
   *
   * @param of the compression
   * @param codec the codec of the compression
   * @return the level, or the codec's default level if the level cannot be found
   */
  public static int level(Compression of, Codec codec) {
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
