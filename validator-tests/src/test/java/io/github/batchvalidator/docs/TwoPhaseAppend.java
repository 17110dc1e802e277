// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

// The documents quote what follows.
/** The appends of one request thread; closed with the thread. */
final class TwoPhaseAppend implements AutoCloseable {
  private final BatchValidator validator = new BatchValidator();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final Verdict verdict = BatchValidator.newVerdict();

  /** Returns the next log end offset. */
  long append(ByteBuffer received, Policy topic, PartitionLog log, long nowMs) {
    ByteBuffer batch = received;
    boolean accepted = validator.inspect(received, topic, nowMs, verdict); // no lock is held
    if (accepted && verdict.needsRebuild()) { // another codec, magic or offsets
      accepted = rebuilder.rebuild(received, topic, 0, nowMs, verdict);
      batch = accepted ? rebuilder.batch() : received;
    }
    if (!accepted) {
      throw new IllegalArgumentException(verdict.reason() + ": " + verdict.describe());
    }
    synchronized (log) { // only a few field writes inside
      long next = OffsetStamp.assign(batch, verdict, log.endOffset(), log.leaderEpoch(), nowMs);
      log.append(batch, next);
      return next;
    }
  }

  @Override
  public void close() {
    validator.close();
    rebuilder.close();
  }
}
