// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.codec.GzipInflater;

/** Who does the work. */
public enum Contender {
  /**
   * Kafka's own {@code LogValidator}, called as the broker calls it for a topic with {@code
   * compression.type=producer}.
   */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(SmokeBatch... batches) {
      return new KafkaBody(batches[0].codec(), batches);
    }
  },

  /** Only the codec library: the floor. */
  DECOMPRESS_ONLY {
    @Override
    public Body open(SmokeBatch... batches) {
      return DecompressionBody.of(batches);
    }
  },

  /** This library, doing what {@code LogValidator} does: CRC left to the caller. */
  CORE {
    @Override
    public Body open(SmokeBatch... batches) {
      return new CoreBody(false, GzipInflater.JDK, batches);
    }
  },

  /** As {@link #CORE}, with gzip inflated in Java. Without gzip it is the same. */
  CORE_JAVA_GZIP {
    @Override
    public Body open(SmokeBatch... batches) {
      return new CoreBody(false, GzipInflater.JAVA, batches);
    }
  },

  /** This library, CRC included. */
  CORE_CHECKED {
    @Override
    public Body open(SmokeBatch... batches) {
      return new CoreBody(true, GzipInflater.JDK, batches);
    }
  };

  /** Prepares the work on copies of batches of one codec, at least one. */
  public abstract Body open(SmokeBatch... batches);
}
