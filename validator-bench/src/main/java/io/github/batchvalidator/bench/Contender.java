// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rule.Level;

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
      return new CoreBody(CoreBody.asLogValidator().build(), batches);
    }
  },

  /** This library, CRC included. */
  CORE_CHECKED {
    @Override
    public Body open(SmokeBatch... batches) {
      return new CoreBody(CoreBody.asLogValidator().callerChecks(true).build(), batches);
    }
  },

  /** As {@link #CORE}, at level STRICT. */
  CORE_STRICT {
    @Override
    public Body open(SmokeBatch... batches) {
      return new CoreBody(CoreBody.asLogValidator().level(Level.STRICT).build(), batches);
    }
  };

  /** Prepares the work on copies of batches of one codec, at least one. */
  public abstract Body open(SmokeBatch... batches);
}
