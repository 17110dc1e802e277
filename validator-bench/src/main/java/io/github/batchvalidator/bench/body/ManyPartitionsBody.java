// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Appends to partitions in turn with one validator. Keeps the log end offset of each partition,
 * which is all that a host needs.
 */
public final class ManyPartitionsBody implements Body {
  private final CoreBody core;
  private final long[] logEndOffsets;
  private int turn;

  /**
   * Prepares the work on copies of batches, at least one.
   *
   * @param partitions how many
   * @param batches of any codecs
   */
  public ManyPartitionsBody(int partitions, ProducedBatch... batches) {
    core = new CoreBody(new BatchValidator(), Policies.LIKE_LOG_VALIDATOR, batches);
    logEndOffsets = new long[partitions];
    Arrays.fill(logEndOffsets, AppendBody.FIRST_OFFSET);
  }

  @Override
  public Object run() {
    int partition = turn;
    turn = partition + 1 < logEndOffsets.length ? partition + 1 : 0;
    ByteBuffer batch = core.next();
    core.prepare(batch);
    logEndOffsets[partition] = core.append(batch, logEndOffsets[partition]);
    return core.answer();
  }

  /** Returns the log end offset of a partition. */
  public long logEndOffset(int partition) {
    return logEndOffsets[partition];
  }

  /** Returns what keeps memory. */
  public BatchValidator validator() {
    return core.validator();
  }

  @Override
  public int records() {
    return core.records();
  }

  @Override
  public void close() {
    core.close();
  }
}
