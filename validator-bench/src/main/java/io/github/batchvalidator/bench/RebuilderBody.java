// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.rebuild.BatchRebuilder;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/**
 * Checks and rebuilds with one rebuilder, and gives each batch memory of its own, as a log needs.
 */
final class RebuilderBody implements Body {
  private final ByteBuffer[] batches;
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final Verdict verdict = new Verdict();
  private final Policy policy;
  private final Target target;
  private int turn;

  RebuilderBody(Codec target, SmokeBatch... batches) {
    this.batches = SmokeBatch.copies(batches);
    this.target = Target.of(target);
    policy =
        Policy.builder(Origin.CLIENT)
            .timestampWindowMs(Long.MAX_VALUE, Appends.AFTER_MAX_MS)
            .callerChecks(false)
            .build();
  }

  @Override
  public Object run() {
    ByteBuffer batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    long nowMs = System.currentTimeMillis();
    if (!rebuilder.rebuild(batch, policy, target, Appends.FIRST_OFFSET, nowMs, verdict)) {
      throw new IllegalStateException(verdict.toString());
    }
    ByteBuffer rebuilt = rebuilder.batch(Appends.LEADER_EPOCH);
    return ByteBuffer.allocate(rebuilt.remaining()).put(rebuilt).flip();
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
