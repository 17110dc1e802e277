// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.LoggerFactory;

/** The bean that exports the counts over JMX. Safe for all threads. */
public final class CompactionBean implements CompactionMXBean {
  private final CompactionReport report;

  // Not public: JMX would list the constructor.
  CompactionBean(CompactionReport report) {
    this.report = report;
  }

  /** Registers a bean with the JVM's platform server. A failure is only logged. */
  static void register(CompactionReport report) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new CompactionBean(report), new ObjectName(NAME));
    } catch (JMException | RuntimeException | LinkageError e) {
      LoggerFactory.getLogger(CompactionBean.class).warn("JMX shows no counts of compaction", e);
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
