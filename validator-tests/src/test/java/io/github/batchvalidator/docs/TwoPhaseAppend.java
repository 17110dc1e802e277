// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

// The documents quote what follows.
import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** The appends of one request thread; closed with the thread. */
final class TwoPhaseAppend implements AutoCloseable {
  private final BatchValidator validator = new BatchValidator();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final OffsetStamp stamp = new OffsetStamp();
  private final Verdict verdict = BatchValidator.newVerdict();

  /** Returns the next log end offset. */
  long append(ByteBuffer received, Policy topic, PartitionLog log, LongSupplier clock) {
    boolean accepted = validator.inspect(received, topic, clock.getAsLong(), verdict); // no lock
    ByteBuffer batch = received.slice(received.position(), verdict.batchBytes()); // what was read
    if (accepted && verdict.needsRebuild()) { // another codec, magic or offsets
      accepted = rebuilder.rebuild(received, topic, clock.getAsLong(), verdict);
      batch = accepted ? rebuilder.batch() : batch;
    }
    if (!accepted) {
      throw new IllegalArgumentException(verdict.reason() + ": " + verdict.describe());
    }
    synchronized (log) { // only a few field writes inside
      long nowMs = clock.getAsLong(); // in the lock, so that times in the log do not decrease
      stamp.firstOffset(log.endOffset()).leaderEpoch(log.leaderEpoch()).nowMs(nowMs);
      return log.append(batch, stamp.assign(batch, verdict));
    }
  }

  @Override
  public void close() {
    validator.close();
    rebuilder.close();
  }
}
