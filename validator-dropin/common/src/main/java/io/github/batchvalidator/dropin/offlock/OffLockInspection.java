// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import io.github.batchvalidator.dropin.append.EarlyInspection;
import io.github.batchvalidator.dropin.append.ValidatorPool;
import io.github.batchvalidator.engine.AppendRules;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.BatchSeal;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The inspection of one append before its thread takes the partition lock. Holds no validator while
 * the thread waits, because there are fewer validators than waiting threads.
 *
 * <p>Reused for the next append of the thread; {@link #clear} drops the records. Confined to one
 * thread.
 */
final class OffLockInspection implements EarlyInspection {
  private final OffLockCounts counts;
  private final MutableVerdict verdict = new MutableVerdict(0);
  private @Nullable Object records;
  private @Nullable ByteBuffer buffer;
  private @Nullable LastAppend log;
  private @Nullable InspectionPlan plan;
  private OffLockFallback fallback = OffLockFallback.FIRST_APPEND;
  private boolean accepted;
  private boolean counted;
  private long inspectedMs;

  OffLockInspection(OffLockCounts counts) {
    this.counts = counts;
  }

  /**
   * Inspects the records if the last append to the log shows how.
   *
   * @param validators the pool; a validator is in use during this call only
   * @param lastAppend the settings of the log's last append, updated by this append
   * @param appended the object that {@code LogValidator} will receive
   * @param batch a new buffer object around the records
   * @param nowMs the time of the inspection
   */
  void inspect(
      ValidatorPool validators,
      LastAppend lastAppend,
      Object appended,
      ByteBuffer batch,
      long nowMs) {
    records = appended;
    buffer = batch;
    log = lastAppend;
    accepted = false;
    counted = false;
    fallback = OffLockFallback.FAILED;
    plan = lastAppend.plan();
    if (plan == null) {
      fallback = OffLockFallback.FIRST_APPEND;
    } else if (!mayStayInPlace(batch, plan)) {
      fallback = OffLockFallback.NOT_IN_PLACE;
    } else if (!plan.holdsLater()) {
      fallback = OffLockFallback.OTHER_TIME;
    } else {
      inspectedMs = nowMs;
      accepted = validators.inspectEarly(batch, plan.policy(), plan.clock(nowMs), verdict);
      fallback = verdict.needsRebuild() ? OffLockFallback.NOT_IN_PLACE : OffLockFallback.REFUSED;
      accepted &= !verdict.needsRebuild();
    }
  }

  /** {@return false if the header alone shows that the batch has to be rebuilt} */
  private static boolean mayStayInPlace(ByteBuffer batch, InspectionPlan plan) {
    int at = batch.position();
    if (plan.policy().target().magic() != BatchLayout.MAGIC_V2
        || batch.remaining() < BatchLayout.HEADER_BYTES
        || batch.get(at + BatchLayout.MAGIC_OFFSET) != BatchLayout.MAGIC_V2) {
      return false;
    }
    int id = batch.get(at + BatchLayout.codecOffset(BatchLayout.MAGIC_V2)) & BatchLayout.CODEC_MASK;
    Codec codec = Codec.byId(id);
    return codec != null
        && AppendRules.rebuildCause(
                plan.policy().target(), codec, BatchLayout.MAGIC_V2, false, false)
            == null;
  }

  /** {@return true if the thread is in an append that this inspection belongs to} */
  boolean isOpen() {
    return records != null;
  }

  @Override
  public void beginAppend(Object appended, Policy policy, Codec source, Codec target) {
    LastAppend last = log;
    if (last != null && appended == records) {
      last.update(policy, source, target);
    }
  }

  @Override
  public @Nullable ByteBuffer takeBuffer(Object appended) {
    ByteBuffer taken = accepted && appended == records ? buffer : null;
    buffer = null;
    return taken;
  }

  @Override
  public @Nullable MutableVerdict takeVerdict(
      Object appended, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    if (counted) {
      return null;
    }
    counted = true;
    OffLockFallback why = fallbackOf(appended, batch, policy, source, nowMs);
    if (why != null) {
      counts.add(why);
      return null;
    }
    counts.addStamped();
    return verdict;
  }

  private @Nullable OffLockFallback fallbackOf(
      Object appended, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    InspectionPlan used = plan;
    if (!accepted || used == null) {
      return fallback;
    }
    BatchSeal inspected = verdict.seal();
    if (appended != records || inspected == null || !inspected.fits(batch)) {
      return OffLockFallback.OTHER_RECORDS;
    }
    if (!used.isFor(policy) || verdict.codec() != source) {
      return OffLockFallback.OTHER_POLICY;
    }
    return used.holds(inspectedMs, nowMs) ? null : OffLockFallback.OTHER_TIME;
  }

  /** Counts the append if it ended without inspecting a batch. */
  @Override
  public void endAppend() {
    if (!counted) {
      counted = true;
      counts.add(accepted ? OffLockFallback.NOT_IN_PLACE : fallback);
    }
  }

  /** {@return the verdict of the last inspection} */
  MutableVerdict verdict() {
    return verdict;
  }

  /** Drops all references to the append. */
  void clear() {
    records = null;
    buffer = null;
    log = null;
    plan = null;
  }
}
