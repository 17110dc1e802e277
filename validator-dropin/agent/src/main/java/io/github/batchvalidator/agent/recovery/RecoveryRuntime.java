// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.agent.stored.StoredSide;
import javax.management.JMException;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of all segments of a broker. Safe for use by multiple threads, each of which has a
 * buffer of its own for as long as the thread lives. Kafka ends these threads after the start.
 */
final class RecoveryRuntime {
  private static final ThreadLocal<SegmentRecovery> RECOVERIES = new ThreadLocal<>();

  private final RecoveryCounts counts;
  private final RecoveryReport report;
  private final @Nullable SegmentHandles handles;

  /**
   * Creates a runtime. If Kafka lacks an expected member, the report says so, and Kafka's own
   * method recovers all segments.
   *
   * @param counts the counts of the report
   * @param report what is told about each segment
   */
  RecoveryRuntime(RecoveryCounts counts, RecoveryReport report) {
    this.counts = counts;
    this.report = report;
    this.handles = link();
  }

  /** {@return the runtime of a broker, whose counts are registered with JMX} */
  static RecoveryRuntime ofBroker() {
    RecoveryCounts counts = new RecoveryCounts();
    RecoveryProgress progress = new RecoveryProgress();
    RecoveryReport report = new RecoveryReport(counts, progress);
    try {
      RecoveryBean.register(StoredSide.kafkaVersion(), counts, progress);
    } catch (JMException | RuntimeException | LinkageError e) {
      report.failed("JMX shows no counts of recovery", e);
    }
    return new RecoveryRuntime(counts, report);
  }

  private @Nullable SegmentHandles link() {
    try {
      return new SegmentHandles();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      report.failed("Recovery is left to Kafka, because a member of its classes is missing", e);
      return null;
    }
  }

  boolean recover(Object segment, Object state, Object epochs) throws Throwable {
    if (handles == null) {
      return false;
    }
    LogSegment log = (LogSegment) segment;
    ProducerStateManager producers = (ProducerStateManager) state;
    LeaderEpochFileCache cache = (LeaderEpochFileCache) epochs;
    long start = System.nanoTime();
    SegmentRecovery recovery;
    int bytes;
    try {
      recovery = ofThread(handles);
      bytes = recovery.check(log, producers, cache);
      recovery.writeIndexes(log);
    } catch (UnsoundSegmentException e) {
      report.left(log, e.reason(), null);
      return false;
    } catch (Throwable e) { // whatever it is, Kafka's method starts from byte zero
      RECOVERIES.remove();
      report.left(log, Unsound.FAILED, e);
      return false;
    }
    recovery.apply(log, producers, cache);
    report.recovered(log, bytes, recovery.batches(), System.nanoTime() - start);
    return true;
  }

  RecoveryCounts counts() {
    return counts;
  }

  private SegmentRecovery ofThread(SegmentHandles linked) {
    SegmentRecovery recovery = RECOVERIES.get();
    if (recovery == null) {
      recovery = new SegmentRecovery(linked);
      RECOVERIES.set(recovery);
    }
    return recovery;
  }
}
