// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/**
 * One call of {@link RebuildEngine}: the source, the rules and the verdict, shared by the classes
 * that work on the call. Reused for every call, confined to one thread.
 */
final class RebuildCall {
  private static final BatchIterator NO_BATCHES = new BatchIterator();
  private static final MutableVerdict NOBODY = new MutableVerdict(0);

  BatchIterator batches = NO_BATCHES;
  ByteBuffer source = NO_BATCHES.buffer();
  Policy policy = Policy.STORED;
  Limits limits = Limits.UNBOUNDED_AS_KAFKA;
  long nowMs;
  MutableVerdict verdict = NOBODY;

  /**
   * True if Kafka reads all records of all batches before it checks the first one: if neither the
   * source nor the target is compressed.
   */
  boolean readsAllFirst;

  private Limits bounded = Limits.UNBOUNDED_AS_KAFKA;
  private Limits largest = Limits.UNBOUNDED_AS_KAFKA;

  RebuildCall() {}

  /** Starts a call. */
  void begin(BatchIterator framed, Policy by, long now, MutableVerdict to, boolean isReadFirst) {
    batches = framed;
    source = framed.buffer();
    policy = by;
    nowMs = now;
    verdict = to;
    readsAllFirst = isReadFirst;
    limits = isReadFirst ? withLargestRecordBytes(by.limits()) : by.limits();
  }

  /**
   * Returns limits whose bound on a record is the largest possible one. Kafka lines that bound
   * records use that bound when they read all records first.
   */
  private Limits withLargestRecordBytes(Limits of) {
    if (of.recordBytes() == Limits.UNLIMITED) {
      return of;
    }
    if (!of.equals(bounded)) {
      bounded = of;
      largest = of.with(Limit.RECORD_BYTES, Limits.LARGEST_RECORD_BYTES);
    }
    return largest;
  }

  /** Releases the source and the verdict. */
  void end() {
    batches = NO_BATCHES;
    source = NO_BATCHES.buffer();
    verdict = NOBODY;
  }
}
