// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/**
 * Checks and rebuilds with one rebuilder, and gives each batch memory of its own, as a log needs.
 */
final class RebuilderBody extends AppendBody {
  private final RebuildEngine rebuilder = new RebuildEngine(WindowDecoders.fastest());
  private final Verdict verdict = BatchValidator.newVerdict();
  private final Policy policy = Policies.LIKE_LOG_VALIDATOR;
  private final Target target;
  private ByteBuffer stored = ByteBuffer.allocate(0);

  RebuilderBody(Codec target, ProducedBatch... batches) {
    super(batches);
    this.target = Target.of(target);
  }

  @Override
  long append(ByteBuffer batch, long firstOffset) {
    long nowMs = System.currentTimeMillis();
    if (!rebuilder.rebuild(batch, policy, target, firstOffset, nowMs, verdict)) {
      throw new IllegalStateException(verdict.toString());
    }
    ByteBuffer rebuilt = rebuilder.batch(LEADER_EPOCH);
    stored = ByteBuffer.allocate(rebuilt.remaining()).put(rebuilt).flip();
    return firstOffset + rebuilder.recordCount();
  }

  @Override
  ByteBuffer answer() {
    return stored;
  }

  @Override
  public int records() {
    return rebuilder.recordCount();
  }

  @Override
  public void close() {
    rebuilder.close();
  }
}
