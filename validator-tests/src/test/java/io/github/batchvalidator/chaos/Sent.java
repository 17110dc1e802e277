// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import org.apache.kafka.common.TopicPartition;

/**
 * A record that a writer sent.
 *
 * <p>One thread sets the fate, before another reads it.
 */
final class Sent {
  private static final long NO_OFFSET = -1;

  private final TopicPartition partition;
  private final RecordId id;
  private final int transaction;
  private Fate fate = Fate.UNKNOWN;
  private long offset = NO_OFFSET;

  /**
   * Creates a record with an unknown fate.
   *
   * @param transaction the number of the writer's transaction; any number without transactions
   */
  Sent(TopicPartition partition, RecordId id, int transaction) {
    this.partition = partition;
    this.id = id;
    this.transaction = transaction;
  }

  void acknowledge(long atOffset) {
    fate = Fate.ACKNOWLEDGED;
    offset = atOffset;
  }

  void answer(Fate other) {
    fate = other;
  }

  TopicPartition partition() {
    return partition;
  }

  RecordId id() {
    return id;
  }

  int transaction() {
    return transaction;
  }

  Fate fate() {
    return fate;
  }

  /** Returns the acknowledged offset. */
  long offset() {
    return offset;
  }

  @Override
  public String toString() {
    return id + " in " + partition + ", " + fate + (offset == NO_OFFSET ? "" : " at " + offset);
  }
}
