// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import java.nio.ByteBuffer;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * One of the threads that append to a partition: prepares a batch outside of the lock, as far as
 * the contender can, and appends it inside.
 */
public final class PartitionBody implements Body {
  private final Partition partition;
  private final AppendBody appender;
  private final SingleWriterRecorder holds;

  /**
   * Prepares the work on copies of batches of one codec, at least one.
   *
   * @param partition shared by the threads
   * @param contender one that assigns offsets
   * @param batches of this thread
   */
  public PartitionBody(Partition partition, Contender contender, ProducedBatch... batches) {
    this.partition = partition;
    appender = (AppendBody) contender.open(batches);
    holds = partition.newRecorder();
  }

  /** Returns the stamped batch. */
  @Override
  public ByteBuffer run() {
    ByteBuffer batch = appender.next();
    appender.prepare(batch);
    partition.append(appender, batch, holds);
    return batch;
  }

  @Override
  public int records() {
    return appender.records();
  }

  @Override
  public void close() {
    appender.close();
  }
}
