// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * The arguments of a validator besides records, codecs and clock. Uses only Kafka's classes: a JVM
 * with the stock class has no others.
 *
 * @param compacted true if the topic wants keys
 * @param magic of the batch to be stored
 * @param type of timestamp that the topic keeps
 * @param beforeMs how far back a timestamp may lie
 * @param afterMs how far ahead a timestamp may lie
 * @param origin of the records
 */
public record AppendSettings(
    boolean compacted,
    int magic,
    TimestampType type,
    long beforeMs,
    long afterMs,
    AppendOrigin origin) {
  /** What clients send to a topic with Kafka's defaults. */
  static final AppendSettings DEFAULTS = of(AppendOrigin.CLIENT, 2, false);

  static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  static final int LEADER_EPOCH = 5;

  /** Returns settings with Kafka's defaults of timestamps. */
  public static AppendSettings of(AppendOrigin origin, int magic, boolean compacted) {
    return new AppendSettings(
        compacted, magic, TimestampType.CREATE_TIME, Long.MAX_VALUE, 3_600_000, origin);
  }

  /** Returns a validator of the class that has Kafka's name, the stock one or that of a jar. */
  public LogValidator validator(MemoryRecords records, CompressionType source, Compression target) {
    return new LogValidator(
        records,
        PARTITION,
        Time.SYSTEM,
        source,
        target,
        compacted,
        (byte) magic,
        type,
        beforeMs,
        afterMs,
        LEADER_EPOCH,
        origin);
  }
}
