// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;

/** A contender that stamps a validated batch of a topic that stores the time of the append. */
public enum StampContender {
  /** This library, which splices the checksum. */
  SPLICED {
    @Override
    public Body open(ProducedBatch... batches) {
      return new StampBody.Spliced(batches);
    }
  },

  /** The setters of Kafka's batch, which recompute the checksum. */
  RECOMPUTED {
    @Override
    public Body open(ProducedBatch... batches) {
      return new StampBody.Recomputed(batches);
    }
  };

  /** Prepares the work on copies of batches, at least one. */
  public abstract Body open(ProducedBatch... batches);
}
