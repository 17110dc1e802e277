// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

/** Who does the work. */
public enum Contender {
  /** Kafka's own {@code LogValidator}, called as the broker calls it. */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(SmokeBatch batch) {
      return new KafkaBody(batch);
    }
  },

  /** Only the codec library: the floor. */
  DECOMPRESS_ONLY {
    @Override
    public Body open(SmokeBatch batch) {
      return DecompressionBody.of(batch);
    }
  },

  /** This library, doing what {@code LogValidator} does: CRC left to the caller. */
  CORE {
    @Override
    public Body open(SmokeBatch batch) {
      return new CoreBody(batch, false);
    }
  },

  /** This library, CRC included. */
  CORE_CHECKED {
    @Override
    public Body open(SmokeBatch batch) {
      return new CoreBody(batch, true);
    }
  };

  /** Prepares the work on a copy of the batch. */
  public abstract Body open(SmokeBatch batch);
}
