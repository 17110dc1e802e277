// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.verdict.MutableVerdict;
import org.jspecify.annotations.Nullable;

/**
 * The rules for an append as a whole, which a caller checks before its batches: their framing, and
 * whether a batch may stay in place.
 *
 * <p>Static, without state, never allocates.
 */
public final class AppendRules {
  private AppendRules() {}

  /**
   * Moves to the first batch of a buffer.
   *
   * @param batches before the first batch
   * @param verdict takes the size and magic of the batch, or the refusal
   * @return false if there is no complete batch
   */
  public static boolean checkFirst(BatchIterator batches, MutableVerdict verdict) {
    return FramingRules.checkFirst(batches, verdict);
  }

  /**
   * Refuses a second batch.
   *
   * @param batches at the first batch, whose size the verdict has; moved past it
   * @param verdict takes the refusal
   * @return true if the first batch is alone
   */
  public static boolean checkAlone(BatchIterator batches, MutableVerdict verdict) {
    return FramingRules.batchNotAlone(batches, verdict);
  }

  /**
   * Checks what ended a walk over the batches.
   *
   * @param batches after the last batch, whose size the verdict has
   * @param verdict takes the refusal
   * @return true if nothing but an incomplete batch follows
   */
  public static boolean checkEnd(BatchIterator batches, MutableVerdict verdict) {
    return FramingRules.checkEnd(batches, verdict);
  }

  /**
   * {@return true if the walk over the batches ends at a fault, false if it ends at the end of the
   * buffer or at an incomplete batch}
   *
   * @param batches after the last batch, or framed
   */
  public static boolean endsInFault(BatchIterator batches) {
    return FramingRules.endsInFault(batches);
  }

  /**
   * Decides by what is known before any record is read.
   *
   * @param target the form in which the topic stores batches
   * @param source the codec of the batch
   * @param magic the magic of the batch, 0 to 2
   * @param control true for a control batch
   * @param sequential as for {@link BatchEngine#inspectFramed}
   * @return why the batch has to be rebuilt; null if the offsets of its records decide
   */
  public static @Nullable RebuildCause rebuildCause(
      Target target, Codec source, byte magic, boolean control, boolean sequential) {
    boolean isNeeded = sequential || InPlaceRules.needsSequentialOffsets(target, source);
    return InPlaceRules.beforeRecords(target, source, magic, control, isNeeded);
  }
}
