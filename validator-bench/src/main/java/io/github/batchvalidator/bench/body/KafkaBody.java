// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/** Kafka's own class. */
class KafkaBody extends BrokerBody {
  KafkaBody(Codec target, ProducedBatch... batches) {
    super(target, batches);
  }

  @Override
  final LogValidator.ValidationResult validate(
      MemoryRecords records, Compression compression, LongRef offset, BufferSupplier supplier) {
    return new LogValidator(
            records,
            partition,
            Time.SYSTEM,
            source,
            compression,
            false,
            RecordBatch.MAGIC_VALUE_V2,
            TimestampType.CREATE_TIME,
            Long.MAX_VALUE,
            AFTER_MAX_MS,
            LEADER_EPOCH,
            AppendOrigin.CLIENT)
        .validateMessagesAndAssignOffsets(offset, metrics, supplier);
  }

  /** The same with a buffer supplier that has nothing in it yet. */
  static final class Cold extends KafkaBody {
    Cold(ProducedBatch... batches) {
      super(batches[0].codec(), batches);
    }

    @Override
    long append(ByteBuffer batch, long firstOffset) {
      try (BufferSupplier empty = BufferSupplier.create()) {
        return append(batch, firstOffset, empty);
      }
    }
  }
}
