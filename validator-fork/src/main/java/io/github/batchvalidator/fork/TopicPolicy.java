// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * The policy for batches of clients under one configuration of a topic. Immutable.
 *
 * @param config the configuration, which Kafka replaces as a whole
 * @param policy the rules of level {@code KAFKA}
 */
record TopicPolicy(LogConfig config, Policy policy) {
  /** No limit that a producer reaches. {@link Limits#BROKER_DEFAULT} also bounds hostile ones. */
  private static final Limits LIMITS = Limits.GENEROUS;

  /** Returns the policy of a configuration. */
  static TopicPolicy of(LogConfig config) {
    Target target = config.compression.map(each -> target(each, config)).orElse(Target.PRODUCER);
    TimestampType timestamps =
        config.messageTimestampType == org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME
            ? TimestampType.LOG_APPEND_TIME
            : TimestampType.CREATE_TIME;
    Policy policy =
        Policy.builder(Origin.CLIENT)
            .limits(LIMITS)
            .target(target.withTimestampType(timestamps))
            .timestampWindowMs(
                config.messageTimestampBeforeMaxMs, config.messageTimestampAfterMaxMs)
            .compactedTopic(config.compact)
            .checkedByHost(true) // by ProduceRequest and analyzeAndValidateRecords
            .build();
    return new TopicPolicy(config, policy);
  }

  /** Kafka's {@code Compression} does not tell its level. */
  private static Target target(Compression compression, LogConfig config) {
    Codec codec = Objects.requireNonNull(Codec.byId(compression.type().id));
    return switch (codec) {
      case NONE, SNAPPY -> Target.of(codec);
      case GZIP -> Target.of(codec, config.getInt(TopicConfig.COMPRESSION_GZIP_LEVEL_CONFIG));
      case LZ4 -> Target.of(codec, config.getInt(TopicConfig.COMPRESSION_LZ4_LEVEL_CONFIG));
      case ZSTD -> Target.of(codec, config.getInt(TopicConfig.COMPRESSION_ZSTD_LEVEL_CONFIG));
    };
  }

  /** {@return true if a batch of this codec is rebuilt whatever its records are} */
  boolean recompresses(CompressionType received) {
    Codec stored = policy.target().codec();
    return stored != null && stored.id() != received.id;
  }
}
