// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;

/** A contender that validates the first batch of its life, over and over. */
public enum ColdContender {
  /** Kafka's own {@code LogValidator} with a new buffer supplier, closed after the batch. */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(ProducedBatch... batches) {
      return new KafkaBody.Cold(batches);
    }
  },

  /** A new validator, closed after the batch. */
  CORE {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody.Cold(BatchValidator::new, batches);
    }
  },

  /** A new validator whose windows are the fixed skip buffer of 2 KB. */
  CORE_2KB {
    @Override
    public Body open(ProducedBatch... batches) {
      return new CoreBody.Cold(BatchValidator::lowMemory, batches);
    }
  };

  /** Prepares the work on copies of batches of one codec, at least one. */
  public abstract Body open(ProducedBatch... batches);
}
