// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * Kafka's own validation and offset assignment. What the broker creates per append is created in
 * {@link #run}, the target codec's settings included; what it keeps per partition or per request
 * thread is kept: the partition's name, the metrics and the caching buffer supplier.
 */
final class KafkaBody implements Body {
  private final ByteBuffer[] batches;
  private final CompressionType source;
  private final CompressionType target;
  private final BufferSupplier buffers = BufferSupplier.create();
  private final TopicPartition partition = new TopicPartition("events", 0);
  private final LogValidator.MetricsRecorder metrics = new NoMetrics();
  private int turn;
  private long nextOffset;

  KafkaBody(Codec target, SmokeBatch... batches) {
    this.batches = SmokeBatch.copies(batches);
    this.target = CompressionType.forId(target.id());
    source = CompressionType.forId(batches[0].codec().id());
  }

  @Override
  public Object run() {
    ByteBuffer batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    Appends.restore(batch);
    PrimitiveRef.LongRef offset = PrimitiveRef.ofLong(Appends.FIRST_OFFSET);
    LogValidator.ValidationResult result =
        newValidator(batch).validateMessagesAndAssignOffsets(offset, metrics, buffers);
    nextOffset = offset.value;
    return result;
  }

  private LogValidator newValidator(ByteBuffer batch) {
    return new LogValidator(
        MemoryRecords.readableRecords(batch),
        partition,
        Time.SYSTEM,
        source,
        Compression.of(target).build(),
        false,
        RecordBatch.MAGIC_VALUE_V2,
        TimestampType.CREATE_TIME,
        Long.MAX_VALUE,
        Appends.AFTER_MAX_MS,
        Appends.LEADER_EPOCH,
        AppendOrigin.CLIENT);
  }

  @Override
  public int records() {
    return (int) (nextOffset - Appends.FIRST_OFFSET);
  }

  @Override
  public void close() {
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
