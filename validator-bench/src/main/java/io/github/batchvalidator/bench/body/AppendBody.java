// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.nio.ByteBuffer;

/**
 * Appends the batches in turn. Before each append the base offset, or that of a message, is made
 * again what a client sends; the leader epoch is left as stamped: no rule reads it.
 */
abstract class AppendBody implements Body {
  /** Not 0, so that stamping changes the batch. */
  static final long FIRST_OFFSET = 1_000_000_007L;

  static final int LEADER_EPOCH = 7;

  /** The broker's default bound on timestamps in the future. */
  static final long AFTER_MAX_MS = 3_600_000L;

  private final ByteBuffer[] batches;
  private final long sentOffset;
  private int turn;

  AppendBody(ProducedBatch... batches) {
    this.batches = ProducedBatch.copies(batches);
    sentOffset = BigEndian.getLong(this.batches[0], BatchLayout.BASE_OFFSET_OFFSET);
  }

  @Override
  public final Object run() {
    ByteBuffer batch = next();
    prepare(batch);
    append(batch, FIRST_OFFSET);
    return answer();
  }

  /** Returns the next batch as a client sends it. */
  final ByteBuffer next() {
    ByteBuffer batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    BigEndian.putLong(batch, BatchLayout.BASE_OFFSET_OFFSET, sentOffset);
    return batch;
  }

  /** Does what can be done before the end of the log is known, outside of its lock. */
  void prepare(ByteBuffer batch) {}

  /**
   * Does the rest.
   *
   * @return the offset after the batch
   */
  abstract long append(ByteBuffer batch, long firstOffset);

  /** Returns what came of the last append. */
  abstract Object answer();
}
