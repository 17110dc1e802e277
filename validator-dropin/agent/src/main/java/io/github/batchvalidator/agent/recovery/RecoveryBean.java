// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** The bean that exports the counts over JMX. Safe for all threads. */
public final class RecoveryBean implements RecoveryMXBean {
  private final String version;
  private final RecoveryCounts counts;
  private final RecoveryProgress progress;

  // Not public: JMX would list the constructor.
  RecoveryBean(String version, RecoveryCounts counts, RecoveryProgress progress) {
    this.version = version;
    this.counts = counts;
    this.progress = progress;
  }

  /**
   * Registers a bean with the JVM's platform server.
   *
   * @param version the version of Kafka whose code the broker has, or several with the same code
   * @param counts the counts to export
   * @param progress the progress to export
   * @throws JMException if the bean cannot be registered
   */
  static void register(String version, RecoveryCounts counts, RecoveryProgress progress)
      throws JMException {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new RecoveryBean(version, counts, progress), new ObjectName(NAME));
  }

  @Override
  public String getKafkaVersion() {
    return version;
  }

  @Override
  public long getRecoveredSegments() {
    return counts.sum(RecoveryCounts.Partition::segments);
  }

  @Override
  public long getRecoveredBytes() {
    return counts.sum(RecoveryCounts.Partition::bytes);
  }

  @Override
  public Map<String, Long> getLeftToKafka() {
    return counts.left();
  }

  @Override
  public Map<String, Long> getBytesByPartition() {
    return counts.byPartition(RecoveryCounts.Partition::bytes);
  }

  @Override
  public Map<String, Long> getBatchesByPartition() {
    return counts.byPartition(RecoveryCounts.Partition::batches);
  }

  @Override
  public Map<String, Long> getMillisByPartition() {
    return counts.byPartition(RecoveryCounts.Partition::millis);
  }

  @Override
  public long getBytesLeft() {
    return progress.bytesLeft();
  }

  @Override
  public long getSecondsLeft() {
    return progress.secondsLeft();
  }
}
