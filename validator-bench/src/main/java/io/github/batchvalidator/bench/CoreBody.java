// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/** Inspects and stamps with one validator and one verdict, as a thread of a host would. */
final class CoreBody implements Body {
  private final ByteBuffer[] batches;
  private final BatchValidator validator = new BatchValidator();
  private final Verdict verdict = new Verdict();
  private final Policy policy;
  private int turn;

  CoreBody(Policy policy, SmokeBatch... batches) {
    this.batches = SmokeBatch.copies(batches);
    this.policy = policy;
  }

  /**
   * Starts a policy for what {@code LogValidator} checks of a batch that its caller has checked.
   */
  static Policy.Builder asLogValidator() {
    return Policy.builder(Origin.CLIENT)
        .timestampWindowMs(Long.MAX_VALUE, Appends.AFTER_MAX_MS)
        .callerChecks(false);
  }

  @Override
  public Object run() {
    ByteBuffer batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    Appends.restore(batch);
    long nowMs = System.currentTimeMillis();
    if (!validator.inspect(batch, policy, nowMs, verdict)) {
      throw new IllegalStateException(verdict.toString());
    }
    OffsetStamp.assign(batch, verdict, Appends.FIRST_OFFSET, Appends.LEADER_EPOCH, nowMs);
    return verdict;
  }

  @Override
  public int records() {
    return verdict.recordCount();
  }

  @Override
  public void close() {
    validator.close();
  }
}
