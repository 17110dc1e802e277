// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * The answer that a producer received for one record.
 *
 * @param offset of the record, -1 if it was refused
 * @param timestamp of the record, or of the append if that is what the topic keeps; -1 if refused
 * @param error the class of the error, empty if there is none. Within a refused batch the class
 *     tells the records that are at fault from the others.
 */
record Answer(long offset, long timestamp, String error) {
  static Answer of(RecordMetadata metadata) {
    return new Answer(metadata.offset(), metadata.timestamp(), "");
  }

  static Answer of(Throwable error) {
    return new Answer(-1, -1, error.getClass().getSimpleName());
  }

  /** Returns the same without a time of the broker's clock. */
  Answer masked(BrokerRun run) {
    return run.includes(timestamp) ? new Answer(offset, StoredBatch.NOW, error) : this;
  }

  boolean accepted() {
    return error.isEmpty();
  }
}
