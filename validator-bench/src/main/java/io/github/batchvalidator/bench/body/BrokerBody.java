// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Validation and offset assignment as a broker calls it.
 *
 * <ul>
 *   <li>Objects that a broker creates per append are created per append, including the settings of
 *       the target codec. A broker keeps these for a topic that sets its codec: one object less.
 *   <li>Objects that a broker keeps per partition or request thread are kept: the partition's name,
 *       the metrics and the caching buffer supplier.
 * </ul>
 */
abstract class BrokerBody extends AppendBody {
  final CompressionType source;
  final TopicPartition partition = new TopicPartition("events", 0);
  final LogValidator.MetricsRecorder metrics = new NoMetrics();
  private final CompressionType target;
  private final BufferSupplier buffers = BufferSupplier.create();
  private @Nullable ValidationResult result;
  private int records;

  BrokerBody(Codec target, ProducedBatch... batches) {
    super(batches);
    this.target = CompressionType.forId(target.id());
    source = CompressionType.forId(batches[0].codec().id());
  }

  @Override
  long append(ByteBuffer batch, long firstOffset) {
    return append(batch, firstOffset, buffers);
  }

  /**
   * Not inlined, like the method of a broker that calls the validator: it is too large. The JIT
   * inlines 15 levels, and those of the benchmark would be among them.
   */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  final long append(ByteBuffer batch, long firstOffset, BufferSupplier supplier) {
    MemoryRecords read = MemoryRecords.readableRecords(batch);
    LongRef offset = PrimitiveRef.ofLong(firstOffset);
    result = validate(read, Compression.of(target).build(), offset, supplier);
    records = (int) (offset.value - firstOffset);
    return offset.value;
  }

  /** Makes a validator for this append and runs it. */
  abstract ValidationResult validate(
      MemoryRecords records, Compression compression, LongRef offset, BufferSupplier supplier);

  @Override
  final ValidationResult answer() {
    return Objects.requireNonNull(result);
  }

  @Override
  public final int records() {
    return records;
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
