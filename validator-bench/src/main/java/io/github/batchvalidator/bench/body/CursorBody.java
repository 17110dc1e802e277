// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.RecordCursor;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks the records with {@link RecordCursor} over the stream that Kafka decompresses, as a host
 * with its own streams would. Computes what {@link KafkaIteratorBody} computes.
 */
final class CursorBody extends AppendBody {
  private final BufferSupplier buffers = BufferSupplier.create();
  private final RecordCursor cursor = new RecordCursor();
  private int records;
  private long maxTimestamp;
  private @Nullable RecordBatch last;

  CursorBody(ProducedBatch... batches) {
    super(batches);
  }

  @Override
  long append(ByteBuffer batch, long firstOffset) {
    DefaultRecordBatch read =
        (DefaultRecordBatch) MemoryRecords.readableRecords(batch).batches().iterator().next();
    maxTimestamp = RecordBatch.NO_TIMESTAMP;
    try (InputStream plain = read.recordInputStream(buffers)) {
      cursor.open(plain, read.countOrNull(), Limits.GENEROUS);
      while (cursor.next()) {
        maxTimestamp = Math.max(maxTimestamp, read.baseTimestamp() + cursor.timestampDelta());
      }
      records = cursor.index() + 1;
      if (!cursor.finish()) {
        throw new IllegalStateException("unreadable: " + cursor.failure(), cursor.cause());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    last = read;
    return firstOffset + records;
  }

  @Override
  RecordBatch answer() {
    return Objects.requireNonNull(last);
  }

  /** Returns the largest timestamp of the last batch. */
  long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public int records() {
    return records;
  }

  @Override
  public void close() {
    buffers.close();
  }
}
