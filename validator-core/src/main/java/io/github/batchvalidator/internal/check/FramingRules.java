// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the batches of a buffer as a whole: there is a batch, it is alone if required, and
 * the length fields can be followed to the end.
 *
 * <p>Static, without state, never allocates. {@code AppendRules} calls these methods for other
 * modules, and describes their parameters.
 */
public final class FramingRules {
  private FramingRules() {}

  public static boolean checkFirst(BatchIterator batches, MutableVerdict verdict) {
    if (batches.next()) {
      verdict.batch(batches.sizeInBytes(), batches.magic());
      return true;
    }
    Reason why = batches.failure();
    return why == null
        ? verdict.refuse(Reason.FRAMING_INCOMPLETE, 0, BatchLayout.PREFIX_BYTES, 0)
        : verdict.refuse(why, verdict.batchBytes(), batches.operand(), batches.secondOperand());
  }

  /**
   * Kafka stores one batch of magic 2, or one compressed message, per partition and produce
   * request.
   */
  public static boolean batchNotAlone(BatchIterator batches, MutableVerdict verdict) {
    return batches.next()
        ? verdict.refuse(Reason.BATCH_NOT_ALONE, 0, verdict.batchBytes(), 0)
        : checkEnd(batches, verdict);
  }

  /** An incomplete batch at the end of a buffer is ignored, as in Kafka. */
  public static boolean checkEnd(BatchIterator batches, MutableVerdict verdict) {
    Reason why = fault(batches);
    return why == null
        || verdict.refuse(why, verdict.batchBytes(), batches.operand(), batches.secondOperand());
  }

  public static boolean endsInFault(BatchIterator batches) {
    return fault(batches) != null;
  }

  private static @Nullable Reason fault(BatchIterator batches) {
    Reason why = batches.failure();
    return why == Reason.FRAMING_INCOMPLETE ? null : why;
  }
}
