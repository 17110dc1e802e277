// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * Validation and offset assignment as a broker calls it. What the broker creates per append is
 * created per append, the target codec's settings included; what it keeps per partition or per
 * request thread is kept: the partition's name, the metrics and the caching buffer supplier.
 */
abstract class BrokerBody extends AppendBody {
  final CompressionType source;
  final TopicPartition partition = new TopicPartition("events", 0);
  final LogValidator.MetricsRecorder metrics = new NoMetrics();
  private final CompressionType target;
  private final BufferSupplier buffers = BufferSupplier.create();
  private long nextOffset;

  BrokerBody(Codec target, ProducedBatch... batches) {
    super(batches);
    this.target = CompressionType.forId(target.id());
    source = CompressionType.forId(batches[0].codec().id());
  }

  @Override
  Object append(ByteBuffer batch) {
    return append(batch, buffers);
  }

  final LogValidator.ValidationResult append(ByteBuffer batch, BufferSupplier supplier) {
    LongRef offset = PrimitiveRef.ofLong(FIRST_OFFSET);
    LogValidator.ValidationResult result =
        validate(
            MemoryRecords.readableRecords(batch), Compression.of(target).build(), offset, supplier);
    nextOffset = offset.value;
    return result;
  }

  /** Makes a validator for this append and runs it. */
  abstract LogValidator.ValidationResult validate(
      MemoryRecords records, Compression compression, LongRef offset, BufferSupplier supplier);

  @Override
  public final int records() {
    return (int) (nextOffset - FIRST_OFFSET);
  }

  @Override
  public final void close() {
    buffers.close();
  }

  /** A broker counts here only what it refuses. */
  private static final class NoMetrics implements LogValidator.MetricsRecorder {
    @Override
    public void recordInvalidMagic() {}

    @Override
    public void recordInvalidOffset() {}

    @Override
    public void recordInvalidSequence() {}

    @Override
    public void recordInvalidChecksums() {}

    @Override
    public void recordNoKeyCompactedTopic() {}
  }
}
