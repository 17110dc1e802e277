// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;

/** A contender that rebuilds a batch in another codec. */
public enum RebuildContender {
  /** Kafka's own {@code LogValidator}, called as the broker calls it. */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(Codec target, ProducedBatch... batches) {
      return new KafkaBody(target, batches);
    }
  },

  /** Only the codec libraries: the floor. */
  TRANSCODE_ONLY {
    @Override
    public Body open(Codec target, ProducedBatch... batches) {
      return TranscodingBody.of(target, batches);
    }
  },

  /** This library, doing what {@code LogValidator} does: CRC of the source left to the caller. */
  CORE {
    @Override
    public Body open(Codec target, ProducedBatch... batches) {
      return new RebuilderBody(target, batches);
    }
  };

  /** Prepares the work on copies of batches of one codec, at least one. */
  public abstract Body open(Codec target, ProducedBatch... batches);
}
