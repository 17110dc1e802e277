// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * Walks the records with an iterator of Kafka's and a caching buffer supplier, and looks at nothing
 * but what {@code LogValidator} needs in the end: their number and the largest timestamp.
 */
abstract class KafkaIteratorBody extends AppendBody {
  private final BufferSupplier buffers = BufferSupplier.create();
  private int records;
  private long maxTimestamp;
  private @Nullable RecordBatch last;

  KafkaIteratorBody(ProducedBatch... batches) {
    super(batches);
  }

  @Override
  final long append(ByteBuffer batch, long firstOffset) {
    DefaultRecordBatch read =
        (DefaultRecordBatch) MemoryRecords.readableRecords(batch).batches().iterator().next();
    int count = 0;
    long max = RecordBatch.NO_TIMESTAMP;
    try (CloseableIterator<Record> iterator = iterator(read, buffers)) {
      while (iterator.hasNext()) {
        max = Math.max(max, iterator.next().timestamp());
        count++;
      }
    }
    records = count;
    maxTimestamp = max;
    last = read;
    finish(read, firstOffset + count);
    return firstOffset + count;
  }

  @Override
  final RecordBatch answer() {
    return Objects.requireNonNull(last);
  }

  abstract CloseableIterator<Record> iterator(DefaultRecordBatch batch, BufferSupplier buffers);

  void finish(DefaultRecordBatch batch, long nextOffset) {}

  /** Returns the largest timestamp of the last batch. */
  final long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public final int records() {
    return records;
  }

  @Override
  public final void close() {
    buffers.close();
  }

  /** The iterator that Kafka's validation uses, alone: it leaves keys and values in the stream. */
  static final class Skipping extends KafkaIteratorBody {
    Skipping(ProducedBatch... batches) {
      super(batches);
    }

    @Override
    CloseableIterator<Record> iterator(DefaultRecordBatch batch, BufferSupplier buffers) {
      return batch.skipKeyValueIterator(buffers);
    }
  }

  /**
   * Kafka's validation before KAFKA-8106: the streaming iterator, which allocates a buffer for each
   * record body of a compressed batch, and the stamp. It applies no rules, so it is faster than the
   * original. Records of a plain batch are slices of the batch, then as now.
   */
  static final class Allocating extends KafkaIteratorBody {
    Allocating(ProducedBatch... batches) {
      super(batches);
    }

    @Override
    CloseableIterator<Record> iterator(DefaultRecordBatch batch, BufferSupplier buffers) {
      return batch.streamingIterator(buffers);
    }

    @Override
    void finish(DefaultRecordBatch batch, long nextOffset) {
      batch.setLastOffset(nextOffset - 1);
      batch.setMaxTimestamp(TimestampType.CREATE_TIME, maxTimestamp());
      batch.setPartitionLeaderEpoch(LEADER_EPOCH);
    }
  }
}
