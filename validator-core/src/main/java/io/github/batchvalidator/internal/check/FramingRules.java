// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;

/**
 * The rules for the batches of a buffer as a whole: there is a batch, it is alone if required, and
 * the length fields can be followed to the end.
 *
 * <p>Static, without state, never allocates.
 */
public final class FramingRules {
  private FramingRules() {}

  /**
   * Moves to the first batch of a buffer.
   *
   * @param batches before the first batch
   * @param verdict takes the size and magic of the batch, or the refusal
   * @return false if there is no complete batch
   */
  public static boolean checkFirst(BatchIterator batches, MutableVerdict verdict) {
    if (batches.next()) {
      verdict.batch(batches.sizeInBytes(), batches.magic());
      return true;
    }
    return batches.fault().isSet()
        ? verdict.refuse(batches.fault(), verdict.batchBytes())
        : verdict.refuse(Reason.FRAMING_INCOMPLETE, 0, BatchLayout.PREFIX_BYTES, 0);
  }

  /**
   * Refuses a second batch. Kafka stores one batch of magic 2, or one compressed message, per
   * partition and produce request.
   *
   * @param batches at the first batch, whose size the verdict has; moved past it
   * @param verdict takes the refusal
   * @return true if the first batch is alone
   */
  public static boolean batchNotAlone(BatchIterator batches, MutableVerdict verdict) {
    return batches.next()
        ? verdict.refuse(Reason.BATCH_NOT_ALONE, 0, verdict.batchBytes(), 0)
        : checkEnd(batches, verdict);
  }

  /**
   * Checks what ended a walk over the batches. An incomplete batch at the end of a buffer is
   * ignored, as in Kafka.
   *
   * @param batches after the last batch, whose size the verdict has
   * @param verdict takes the refusal
   * @return true if nothing but an incomplete batch follows
   */
  public static boolean checkEnd(BatchIterator batches, MutableVerdict verdict) {
    return !endsInFault(batches) || verdict.refuse(batches.fault(), verdict.batchBytes());
  }

  /**
   * {@return true if the walk over the batches ends at a fault, false if it ends at the end of the
   * buffer or at an incomplete batch}
   *
   * @param batches after the last batch, or framed
   */
  public static boolean endsInFault(BatchIterator batches) {
    Reason why = batches.failure();
    return why != null && why != Reason.FRAMING_INCOMPLETE;
  }
}
