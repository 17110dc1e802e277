// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.codec.GzipInflater;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/** Inspects and stamps with one validator and one verdict, as a thread of a host would. */
final class CoreBody implements Body {
  private final ByteBuffer[] batches;
  private final BatchValidator validator;
  private final Verdict verdict = new Verdict();
  private final Policy policy;
  private int turn;

  CoreBody(boolean callerChecks, GzipInflater gzip, SmokeBatch... batches) {
    validator = new BatchValidator(gzip);
    this.batches = SmokeBatch.copies(batches);
    policy =
        Policy.builder(Origin.CLIENT)
            .timestampWindowMs(Long.MAX_VALUE, Appends.AFTER_MAX_MS)
            .callerChecks(callerChecks)
            .build();
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
