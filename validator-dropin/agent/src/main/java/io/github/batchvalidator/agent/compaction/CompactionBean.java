// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.BrokerLog;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** The bean that exports the counts over JMX. Safe for all threads. */
public final class CompactionBean implements CompactionMXBean {
  private final CompactionReport report;

  // Not public: JMX would list the constructor.
  CompactionBean(CompactionReport report) {
    this.report = report;
  }

  /**
   * Registers a bean with the JVM's platform server. A failure is only logged.
   *
   * @param log the broker's log
   */
  public static void register(BrokerLog log) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new CompactionBean(CompactionReport.OF_JVM), new ObjectName(NAME));
    } catch (JMException | RuntimeException | LinkageError e) {
      log.warn("JMX shows no counts of compaction: " + e);
    }
  }

  @Override
  public long getCheckedSegments() {
    return report.segments();
  }

  @Override
  public long getCheckedBytes() {
    return report.bytes();
  }

  @Override
  public long getCheckedBatches() {
    return report.batches();
  }

  @Override
  public long getCheckMillis() {
    return report.millis();
  }

  @Override
  public long getUncheckedSegments() {
    return report.unchecked();
  }

  @Override
  public Map<String, Long> getDamagedByPartition() {
    return report.damagedByPartition();
  }

  @Override
  public Map<String, Long> getDamagedByReason() {
    return report.damaged();
  }

  @Override
  public Map<String, Long> getCountedByReason() {
    return report.counted();
  }
}
