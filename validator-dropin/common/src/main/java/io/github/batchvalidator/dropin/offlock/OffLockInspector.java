// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import io.github.batchvalidator.dropin.append.EarlyInspection;
import io.github.batchvalidator.dropin.append.ValidatorPool;
import java.nio.ByteBuffer;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Inspects client batches before their append takes the partition lock, so that {@code
 * LogValidator} only has to stamp them under the lock (docs/decisions/012-agent.md).
 *
 * <p>Each thread has at most one open inspection, that of its current append. Safe for all threads,
 * virtual threads too.
 */
public final class OffLockInspector {
  private final @Nullable ValidatorPool validators;
  private final OffLockCounts counts = new OffLockCounts();

  @SuppressWarnings("ThreadLocalUsage") // a broker has one inspector
  private final ThreadLocal<@Nullable OffLockInspection> inspections = new ThreadLocal<>();

  private volatile boolean entered;

  /**
   * Creates an inspector.
   *
   * @param validators the validators to inspect with, or null to inspect nothing
   */
  public OffLockInspector(@Nullable ValidatorPool validators) {
    this.validators = validators;
  }

  /**
   * Inspects the records of an append that starts on this thread.
   *
   * @param records Kafka's {@code MemoryRecords}, the object that {@code LogValidator} will receive
   * @param buffer a new buffer object around the records
   * @param origin an {@code AppendOrigin}; only records from clients are inspected
   * @param lastAppend the result of this method for the log's last append, or null
   * @param nowMs the time of the inspection
   * @return the object that the log must keep for its next append
   */
  public @Nullable Object enter(
      Object records, ByteBuffer buffer, Object origin, @Nullable Object lastAppend, long nowMs) {
    if (!entered) {
      entered = true;
    }
    ValidatorPool pool = validators;
    if (origin != AppendOrigin.CLIENT || pool == null) {
      return lastAppend;
    }
    LastAppend log = lastAppend instanceof LastAppend last ? last : new LastAppend();
    inspection().inspect(pool, log, records, buffer, nowMs);
    return log;
  }

  /** Ends the append of this thread, whether it succeeded or threw. */
  public void leave() {
    OffLockInspection inspection = inspections.get();
    if (inspection != null) {
      inspection.clear();
    }
  }

  private OffLockInspection inspection() {
    OffLockInspection inspection = inspections.get();
    if (inspection == null) {
      inspection = new OffLockInspection(counts);
      inspections.set(inspection);
    }
    return inspection;
  }

  /** {@return the open inspection of this thread, or {@link EarlyInspection#NONE}} */
  public EarlyInspection current() {
    OffLockInspection inspection = entered ? inspections.get() : null;
    return inspection != null && inspection.isOpen() ? inspection : EarlyInspection.NONE;
  }

  /** {@return false if this inspector inspects nothing} */
  public boolean isEnabled() {
    return validators != null;
  }

  /** {@return true if the agent has called {@link #enter}} */
  public boolean isEntered() {
    return entered;
  }

  /** {@return the numbers of stamped and of inspected appends} */
  public OffLockCounts counts() {
    return counts;
  }
}
