// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import io.github.batchvalidator.agent.BrokerLog;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** The bean that exports the counts of cuts over JMX. Safe for all threads. */
public final class CutBean implements CutMXBean {
  private final CutReport report;

  // Not public: JMX would list the constructor.
  CutBean(CutReport report) {
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
          .registerMBean(new CutBean(CutReport.OF_JVM), new ObjectName(NAME));
    } catch (JMException | RuntimeException | LinkageError e) {
      log.warn("JMX shows no counts of cuts: " + e);
    }
  }

  @Override
  public Map<String, Long> getKeptBytesByPartition() {
    return report.keptBytes();
  }

  @Override
  public long getTornCuts() {
    return report.tornCuts();
  }

  @Override
  public long getLostCuts() {
    return report.lostCuts();
  }
}
