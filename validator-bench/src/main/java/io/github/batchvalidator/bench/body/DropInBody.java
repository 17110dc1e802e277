// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.dropin.line.RecordLimit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * The drop-in, by its normal name: the shell that has Kafka's name would shadow Kafka's class. It
 * does nothing but make one more object per append.
 */
final class DropInBody extends BrokerBody {
  DropInBody(ProducedBatch... batches) {
    super(batches[0].codec(), batches);
  }

  @Override
  LogValidator.ValidationResult validate(
      MemoryRecords records, Compression compression, LongRef offset, BufferSupplier supplier) {
    return new LineAppend(
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
            AppendOrigin.CLIENT,
            RecordLimit.DEFAULT)
        .validateMessagesAndAssignOffsets(offset, metrics, supplier);
  }
}
