// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;

/** A contender that validates a batch in place. */
public enum Contender {
  /**
   * Kafka's own {@code LogValidator}, called as the broker calls it for a topic with {@code
   * compression.type=producer}.
   */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(ProducedBatch... batches) {
      return new KafkaBody(batches[0].codec(), batches);
    }
  },

  /** Only the iterator that it uses. */
  KAFKA_SKIP_ITERATOR {
    @Override
    public Body open(ProducedBatch... batches) {
      return new KafkaIteratorBody.Skipping(batches);
    }
  },

  /** As {@link #KAFKA_SKIP_ITERATOR}, with this library's cursor over Kafka's stream. */
  RECORD_CURSOR {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CursorBody(batches);
    }
  },

  /** Kafka's iterator before KAFKA-8106, which allocates a buffer for each record body. */
  ALLOCATING_BASELINE {
    @Override
    public Body open(ProducedBatch... batches) {
      return new KafkaIteratorBody.Allocating(batches);
    }
  },

  /** Only the codec library: the floor. */
  DECOMPRESS_ONLY {
    @Override
    public Body open(ProducedBatch... batches) {
      return DecompressionBody.of(batches);
    }
  },

  /** This library, doing what {@code LogValidator} does: CRC left to the caller. */
  CORE {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody(new BatchValidator(), Policies.LIKE_LOG_VALIDATOR, batches);
    }
  },

  /** As {@link #CORE} with the fixed skip buffer of 2 KB as the window of every decoder. */
  CORE_2KB {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody(BatchValidator.lowMemory(), Policies.LIKE_LOG_VALIDATOR, batches);
    }
  },

  /** This library, CRC included. */
  CORE_CHECKED {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody(new BatchValidator(), Policies.ALL_CHECKS, batches);
    }
  },

  /** As {@link #CORE}, at level STRICT. */
  CORE_STRICT {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody(new BatchValidator(), Policies.STRICT, batches);
    }
  },

  /** This library in the shape of {@code LogValidator}, called as that is. */
  DROP_IN {
    @Override
    public Body open(ProducedBatch... batches) {
      return new DropInBody(batches);
    }
  };

  /** Prepares the work on copies of batches of one codec, at least one. */
  public abstract Body open(ProducedBatch... batches);
}
