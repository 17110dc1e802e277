// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

/** A fault of a compressed batch. The checksum of the batch is right in each case. */
public enum Fault {
  /** Nothing: what the others are compared with. */
  NOTHING {
    @Override
    ProducedBatch batch(Workload workload, int i) {
      return ProducedBatch.of(workload.codec(), workload.memory(), workload.simpleRecords(i));
    }
  },

  /** The first record counts -1 headers. */
  FIRST_RECORD {
    @Override
    ProducedBatch batch(Workload workload, int i) {
      return FaultyBatch.of(workload, i).countNoHeadersInRecord(0);
    }
  },

  /** The last record does. */
  LAST_RECORD {
    @Override
    ProducedBatch batch(Workload workload, int i) {
      return FaultyBatch.of(workload, i).countNoHeadersInRecord(workload.records() - 1);
    }
  },

  /** Random bytes after the start of the stream. */
  GARBAGE {
    @Override
    ProducedBatch batch(Workload workload, int i) {
      return FaultyBatch.of(workload, i).garbled();
    }
  },

  /** One record of zeros that takes {@value #BOMB_BYTES} bytes once decompressed. */
  BOMB {
    /** One: they would all be the same. */
    @Override
    public ProducedBatch[] batches(Workload workload, int count) {
      return super.batches(workload, 1);
    }

    @Override
    ProducedBatch batch(Workload workload, int i) {
      return FaultyBatch.bomb(workload, BOMB_BYTES);
    }
  };

  /** How large a bomb is, in plain bytes. */
  public static final int BOMB_BYTES = 64 << 20;

  /** Returns batches with this fault and records of a workload. */
  public ProducedBatch[] batches(Workload workload, int count) {
    ProducedBatch[] batches = new ProducedBatch[count];
    for (int i = 0; i < count; i++) {
      batches[i] = batch(workload, i);
    }
    return batches;
  }

  abstract ProducedBatch batch(Workload workload, int i);
}
