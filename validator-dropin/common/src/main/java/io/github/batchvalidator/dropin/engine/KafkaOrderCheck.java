// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/**
 * A second check of a refused compressed batch, with decoders that read ahead exactly as far as
 * Kafka's. If both the stream and the records have faults, it finds the fault that Kafka meets
 * first.
 *
 * <p>Slower than the first check, so it is for refused batches only. Confined to one thread.
 */
final class KafkaOrderCheck implements AutoCloseable {
  private final MutableVerdict verdict;
  private final BatchEngine engine = BatchEngine.inKafkaOrder();

  KafkaOrderCheck(int recordErrors) {
    verdict = new MutableVerdict(recordErrors);
  }

  /** {@return true if the fault is in the compressed stream or in its plain bytes, and Kafka's} */
  static boolean isNeeded(MutableVerdict first) {
    Reason why = first.reason();
    return why != null
        && why.level() == Level.KAFKA
        && why != Reason.CODEC_OUT_OF_MEMORY
        && !isLimitOfOurs(why)
        && first.codec() != Codec.NONE
        && first.plainPosition() >= 0
        && !first.decidedByRecords();
  }

  /**
   * {@return true for a limit that Kafka does not have, which thus has no place in its order} Not a
   * set, whose initialisation may lack the memory on the first refusal.
   */
  private static boolean isLimitOfOurs(Reason why) {
    return why == Reason.LIMIT_PLAIN_BYTES
        || why == Reason.LIMIT_RATIO
        || why == Reason.LIMIT_RECORDS
        || why == Reason.LIMIT_HEADERS
        || why == Reason.LIMIT_HEADER_BYTES;
  }

  /** {@return the verdict of this check if it refuses, otherwise the first verdict} */
  MutableVerdict inspect(
      ByteBuffer batch,
      Policy policy,
      Codec sourceCodec,
      boolean sequential,
      long nowMs,
      MutableVerdict first) {
    boolean accepted = engine.inspectFramed(batch, policy, sourceCodec, sequential, nowMs, verdict);
    return accepted ? first : verdict;
  }

  /** {@return the verdict of this check if it refuses, otherwise the first verdict} */
  MutableVerdict rebuild(
      BatchIterator framed, Policy policy, Codec sourceCodec, long nowMs, MutableVerdict first) {
    boolean accepted = engine.rebuild(framed, policy, sourceCodec, 0, nowMs, verdict);
    return accepted ? first : verdict;
  }

  /** {@return the verdict of this check if it refuses, otherwise the first verdict} */
  MutableVerdict check(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict first) {
    return engine.check(batch, policy, nowMs, verdict) ? first : verdict;
  }

  /** {@return the heap bytes that are held between batches} */
  long heapBytes() {
    return verdict.heapBytes() + engine.heapBytes();
  }

  @Override
  public void close() {
    engine.close();
  }
}
