// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.agent.keep.CutMXBean;
import io.github.batchvalidator.agent.recovery.RecoveryMXBean;
import io.github.batchvalidator.tiered.TieredMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * A JVM with the beans of stored batches, whose numbers grow with each read, with Kafka's count of
 * bytes that wait for the tiered storage, and with the names of Kafka's log cleaner. Prints the
 * names of the metrics that rise.
 */
final class StoredMetrics {
  private StoredMetrics() {}

  public static void main(String[] arguments) throws Exception {
    Exporter exporter = new Exporter(Integer.parseInt(arguments[0]));
    register(RecoveryMXBean.NAME, RecoveryMXBean.class);
    register(CutMXBean.NAME, CutMXBean.class);
    register(CompactionMXBean.NAME, CompactionMXBean.class);
    register(TieredMXBean.NAME, TieredMXBean.class);
    registerCleaner();
    try (BrokerTopicStats kafka = new BrokerTopicStats(true)) {
      kafka.recordRemoteCopyLagBytes("t", 0, 1);
      Map<String, Double> before = exporter.scrape();
      kafka.recordRemoteCopyLagBytes("t", 0, 2);
      Exporter.risen(before, exporter.scrape()).forEach(System.out::println);
    }
    System.exit(0); // the exporter's threads would go on
  }

  /** CompactionBrokerIT reads the same names from a broker. */
  private static void registerCleaner() {
    AtomicInteger reads = new AtomicInteger();
    new KafkaMetricsGroup("kafka.log", "LogCleaner")
        .newGauge("DeadThreadCount", reads::incrementAndGet);
    new KafkaMetricsGroup("kafka.log", "LogCleanerManager")
        .newGauge(
            "uncleanable-partitions-count",
            reads::incrementAndGet,
            Map.of("logDirectory", "/data"));
  }

  private static <T> void register(String name, Class<T> type) throws Exception {
    AtomicInteger reads = new AtomicInteger();
    InvocationHandler growing =
        (proxy, method, given) -> {
          Class<?> result = method.getReturnType();
          if (result == Map.class) {
            return Map.of("key", (long) reads.incrementAndGet());
          }
          if (result == String.class) {
            return "";
          }
          int read = reads.incrementAndGet();
          return result == int.class ? (Object) read : (Object) Long.valueOf(read);
        };
    Object bean = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, growing);
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new StandardMBean(type.cast(bean), type, true), new ObjectName(name));
  }
}
