// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.dropin.line.RecordLimit;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;

/** Makes validators of Kafka 4.3 for what clients send to a topic of magic 2, at any time. */
final class Validators {
  private Validators() {}

  static LineAppend of(ByteBuffer records, Codec source, Codec target, boolean compactedTopic) {
    return new LineAppend(
        MemoryRecords.readableRecords(records),
        new TopicPartition("orders", 3),
        Time.SYSTEM,
        Batches.compression(source).type(),
        Batches.compression(target),
        compactedTopic,
        (byte) 2,
        TimestampType.CREATE_TIME,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        5,
        AppendOrigin.CLIENT,
        RecordLimit.DEFAULT);
  }
}
