// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;
import io.github.batchvalidator.internal.inspect.InspectionEngine;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a refused compressed batch once more, through decoders that read ahead as far as
 * Kafka's: where stream and records are both at fault, the one that Kafka meets first decides. That
 * is slower, so only a batch that is refused anyway is treated to it. Confined to one thread.
 */
final class SecondLook implements AutoCloseable {
  private final MutableVerdict verdict;
  private @Nullable InspectionEngine validator;
  private @Nullable RebuildEngine rebuilder;

  SecondLook(int recordErrors) {
    verdict = new MutableVerdict(recordErrors);
  }

  /** {@return true if the fault was met in the stream, or in what came out of it} */
  static boolean isWorthIt(MutableVerdict first) {
    Reason why = first.reason();
    return why != null
        && why.level() == Level.KAFKA
        && why != Reason.CODEC_OUT_OF_MEMORY
        && first.codec() != Codec.NONE
        && first.plainPosition() >= 0
        && !first.decidedByRecords();
  }

  /** {@return the verdict that stands} */
  MutableVerdict inspect(
      ByteBuffer batch, Policy policy, Codec sourceCodec, long nowMs, MutableVerdict first) {
    if (validator == null) {
      validator = new InspectionEngine(new KafkaDecoders());
    }
    return validator.inspect(batch, policy, sourceCodec, nowMs, verdict) ? first : verdict;
  }

  /** {@return the verdict that stands} */
  MutableVerdict rebuild(
      ByteBuffer source, Policy policy, Codec sourceCodec, long nowMs, MutableVerdict first) {
    boolean accepted =
        rebuilder().sourceCodec(sourceCodec).rebuild(source, policy, 0, nowMs, verdict);
    return accepted ? first : verdict;
  }

  /** {@return the verdict that stands} */
  MutableVerdict check(ByteBuffer batch, Policy policy, long nowMs, MutableVerdict first) {
    return rebuilder().check(batch, policy, nowMs, verdict) ? first : verdict;
  }

  /** {@return the heap bytes that are held between batches} */
  long heapBytes() {
    return verdict.heapBytes()
        + (validator == null ? 0 : validator.heapBytes())
        + (rebuilder == null ? 0 : rebuilder.heapBytes());
  }

  private RebuildEngine rebuilder() {
    if (rebuilder == null) {
      rebuilder = new RebuildEngine(new KafkaDecoders());
    }
    return rebuilder;
  }

  @Override
  public void close() {
    if (validator != null) {
      validator.close();
    }
    if (rebuilder != null) {
      rebuilder.close();
    }
  }
}
