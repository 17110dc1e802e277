// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.jspecify.annotations.Nullable;

/**
 * The appends to one log that are inspected before its lock is taken: those of clients. Brokers and
 * coordinators trust what they write themselves, and their batches are small.
 *
 * <p>Safe for all threads.
 */
public final class EarlyAppends {
  private volatile @Nullable TopicPolicy last;

  /** Creates the appends of a log. */
  public EarlyAppends() {}

  /**
   * Inspects the records of an append, and rebuilds them if the topic stores another codec.
   *
   * @param records the records, after {@code trimInvalidBytes}
   * @param origin the origin of the records
   * @param codec the codec that {@code analyzeAndValidateRecords} found
   * @param toMagic the magic that the topic stores
   * @param config the configuration of the topic
   * @param time the broker's clock
   * @return the append, closed when the records are in the log
   */
  public EarlyAppend begin(
      MemoryRecords records,
      AppendOrigin origin,
      CompressionType codec,
      byte toMagic,
      LogConfig config,
      Time time) {
    return origin == AppendOrigin.CLIENT && toMagic == RecordBatch.MAGIC_VALUE_V2
        ? EarlyAppend.of(records, policy(config), codec, time)
        : EarlyAppend.UNDER_LOCK;
  }

  /** {@return the policy of a configuration, which is made once for each} */
  @SuppressWarnings("ReferenceEquality") // Kafka replaces the object when a setting changes
  private TopicPolicy policy(LogConfig config) {
    TopicPolicy known = last;
    if (known == null || known.config() != config) {
      known = TopicPolicy.of(config);
      last = known;
    }
    return known;
  }
}
