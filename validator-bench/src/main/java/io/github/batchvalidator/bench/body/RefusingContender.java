// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;

/** A contender that judges a batch that may be bad. It answers with a result or an exception. */
public enum RefusingContender {
  /** Kafka's own {@code LogValidator}, which knows no limit. */
  KAFKA_LOG_VALIDATOR {
    @Override
    public Body open(long mostPlainBytes, ProducedBatch... batches) {
      return new Catching(new KafkaBody(batches[0].codec(), batches));
    }
  },

  /** This library. */
  CORE {
    @Override
    public Body open(long mostPlainBytes, ProducedBatch... batches) {
      Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, mostPlainBytes);
      Policy policy = Policies.topic().checkedByHost(true).limits(limits).build();
      return new CoreBody.Refusing(policy, batches);
    }
  };

  /**
   * Prepares the work on copies of batches of one codec, at least one.
   *
   * @param mostPlainBytes where it refuses to decompress on, if it can
   */
  public abstract Body open(long mostPlainBytes, ProducedBatch... batches);

  /** Catches as {@code UnifiedLog}'s caller does. */
  private record Catching(Body body) implements Body {
    @Override
    public Object run() {
      try {
        return body.run();
      } catch (RuntimeException e) {
        return e;
      }
    }

    /** Returns how many records the last batch that was accepted has. */
    @Override
    public int records() {
      return body.records();
    }

    @Override
    public void close() {
      body.close();
    }
  }
}
