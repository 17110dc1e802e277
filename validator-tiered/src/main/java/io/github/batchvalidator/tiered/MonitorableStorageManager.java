// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;

/**
 * The same manager for a wrapped manager that has metrics (KIP-877). Needs Kafka 4.1 or later:
 * earlier lines do not have the interface, so that this class does not load there.
 */
public final class MonitorableStorageManager extends AuditingStorageManager implements Monitorable {
  /** Creates a manager, to be configured. */
  public MonitorableStorageManager() {}

  @Override
  public void withPluginMetrics(PluginMetrics metrics) {
    if (manager() instanceof Monitorable monitorable) {
      monitorable.withPluginMetrics(metrics);
    }
  }
}
