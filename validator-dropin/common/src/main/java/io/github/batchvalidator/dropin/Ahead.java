// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One thread's inspection ahead of the partition's lock, for the append that the thread is in. It
 * holds neither a worker, of which there are fewer than threads that may wait for a lock, nor, once
 * it is cleared, the records. Confined to its thread, reused for the next append.
 */
final class Ahead {
  private final OffLockCounts counts;
  private final MutableVerdict verdict = new MutableVerdict(0);
  private @Nullable Object records;
  private @Nullable ByteBuffer buffer;
  private @Nullable KnownLog log;
  private @Nullable Foresight foresight;
  private OffLockFallback cause = OffLockFallback.FIRST_APPEND;
  private boolean accepted;
  private boolean counted;
  private long inspectedMs;

  Ahead(OffLockCounts counts) {
    this.counts = counts;
  }

  /**
   * Inspects the records, if it is known how.
   *
   * @param workers one of them does it, and is free again before the lock is waited for
   * @param appendedTo is taught by the append
   * @param appended the object that {@code LogValidator} will get
   * @param batch its bytes; the buffer object is ours alone
   * @param nowMs the time of the inspection
   */
  void inspect(
      WorkerPool workers, KnownLog appendedTo, Object appended, ByteBuffer batch, long nowMs) {
    records = appended;
    buffer = batch;
    log = appendedTo;
    accepted = false;
    counted = false;
    cause = OffLockFallback.FAILED;
    foresight = appendedTo.foresight();
    if (foresight == null) {
      cause = OffLockFallback.FIRST_APPEND;
    } else if (!mayStay(batch, foresight)) {
      cause = OffLockFallback.NOT_IN_PLACE;
    } else if (!foresight.lasts()) {
      cause = OffLockFallback.OTHER_TIME;
    } else {
      inspectedMs = nowMs;
      accepted = accepts(workers, batch, foresight, nowMs);
      cause = verdict.needsRebuild() ? OffLockFallback.NOT_IN_PLACE : OffLockFallback.REFUSED;
      accepted &= !verdict.needsRebuild();
    }
  }

  /** {@return false if the header alone shows that the batch has to be rebuilt} */
  private static boolean mayStay(ByteBuffer batch, Foresight foresight) {
    int at = batch.position();
    if (foresight.policy().target().magic() != BatchLayout.MAGIC_V2
        || batch.remaining() < BatchLayout.HEADER_BYTES
        || batch.get(at + BatchLayout.MAGIC_OFFSET) != BatchLayout.MAGIC_V2) {
      return false;
    }
    int id = batch.get(at + BatchLayout.codecOffset(BatchLayout.MAGIC_V2)) & BatchLayout.CODEC_MASK;
    Codec codec = Codec.byId(id);
    return codec != null
        && InPlaceRules.beforeRecords(
                foresight.policy().target(), codec, BatchLayout.MAGIC_V2, false)
            == null;
  }

  private boolean accepts(WorkerPool workers, ByteBuffer batch, Foresight how, long nowMs) {
    Worker worker = workers.acquire();
    try {
      return worker.inspectAhead(batch, how.policy(), how.clock(nowMs), verdict);
    } finally {
      workers.release(worker);
    }
  }

  /** {@return true if the thread is in an append that was looked at} */
  boolean isOpen() {
    return records != null;
  }

  /**
   * {@return the buffer of the records if the inspection accepted them, else null} At most once, so
   * that the append need not ask Kafka for another one.
   *
   * @param appended what {@code LogValidator} got
   */
  @Nullable ByteBuffer takeBuffer(Object appended) {
    ByteBuffer taken = accepted && appended == records ? buffer : null;
    buffer = null;
    return taken;
  }

  /** Takes note of what the append is told, for the log's next one. */
  void learn(Object appended, Policy policy, Codec source, Codec target) {
    KnownLog known = log;
    if (known != null && appended == records) {
      known.learn(policy, source, target);
    }
  }

  /**
   * {@return true if the verdict stands for a batch that is about to be inspected} At most once, so
   * that of several batches none is taken for another one.
   *
   * @param appended what {@code LogValidator} got
   * @param batch of it, position and limit around it
   * @param policy of the append
   * @param source the source codec that the caller passed
   * @param nowMs the time of the append
   */
  boolean stands(Object appended, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    if (counted) {
      return false;
    }
    counted = true;
    OffLockFallback against = against(appended, batch, policy, source, nowMs);
    if (against != null) {
      counts.add(against);
      return false;
    }
    counts.addStamped();
    return true;
  }

  private @Nullable OffLockFallback against(
      Object appended, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    Foresight how = foresight;
    if (!accepted || how == null) {
      return cause;
    }
    if (appended != records || !verdict.isOf(batch)) {
      return OffLockFallback.OTHER_RECORDS;
    }
    if (!how.isFor(policy) || verdict.codec() != source) {
      return OffLockFallback.OTHER_POLICY;
    }
    return how.holds(inspectedMs, nowMs) ? null : OffLockFallback.OTHER_TIME;
  }

  /** Counts an append that did not come to where a batch is inspected. */
  void endAppend() {
    if (!counted) {
      counted = true;
      counts.add(accepted ? OffLockFallback.NOT_IN_PLACE : cause);
    }
  }

  /** {@return the verdict that stands} */
  MutableVerdict verdict() {
    return verdict;
  }

  /** Lets go of the records. */
  void clear() {
    records = null;
    buffer = null;
    log = null;
    foresight = null;
  }
}
