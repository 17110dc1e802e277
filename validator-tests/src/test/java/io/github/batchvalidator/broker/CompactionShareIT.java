// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The share of the guard in the CPU of a live broker that compacts while a producer writes. The
 * time of the guard is that of the clock, so the share is at most what is printed ({@code
 * scripts/compaction-cost}).
 */
@Tag("slow")
class CompactionShareIT {
  private static final int SECONDS = Integer.getInteger("compaction.seconds", 40);
  private static final int RECORDS_PER_SECOND = 5000;
  private static final int KEYS = 20_000;
  private static final int VALUE_BYTES = 1000;
  private static final double MILLION = 1e6;

  private static final Map<String, String> SETTINGS =
      Map.of("log.cleaner.backoff.ms", "100", "log.segment.bytes", "8388608");

  private static final Map<String, String> TOPIC =
      Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.2");

  @TempDir private Path folder;

  @Test
  void measure() throws Exception {
    System.out.println("| codec | broker, CPU ms | guard, ms | share | checked, MiB |");
    System.out.println("|---|--:|--:|--:|--:|");
    for (Codec codec : Codec.values()) {
      measure(codec.name().toLowerCase(Locale.ROOT));
    }
  }

  private void measure(String codec) throws Exception {
    List<String> options =
        List.of(Lines.jars().agent(), "-Dbatchvalidator.stored.compaction=enforce");
    try (BrokerProcess broker =
            Lines.jars().start(BrokerBuild.KAFKA, "4.3", folder.resolve(codec), options, SETTINGS);
        BrokerBeans beans = new BrokerBeans(broker)) {
      broker.clients().createTopics(List.of(BrokerClients.topic("t").configs(TOPIC)));
      MBeanServerConnection jmx = beans.connection();
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(jmx, OperatingSystemMXBean.class);
      CompactionMXBean guard =
          JMX.newMXBeanProxy(jmx, new ObjectName(CompactionMXBean.NAME), CompactionMXBean.class);
      produce(broker.clients(), codec, SECONDS / 4); // warms up
      long cpuNanos = system.getProcessCpuTime();
      long millis = guard.getCheckMillis();
      long bytes = guard.getCheckedBytes();
      produce(broker.clients(), codec, SECONDS);
      double cpu = (system.getProcessCpuTime() - cpuNanos) / MILLION;
      millis = guard.getCheckMillis() - millis;
      bytes = guard.getCheckedBytes() - bytes;
      assertTrue(bytes > 0, "nothing was compacted");
      assertEquals(0, guard.getUncheckedSegments());
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f | %d | %.1f %% | %d |%n",
          codec,
          cpu,
          millis,
          100 * millis / cpu,
          bytes >> 20);
    }
  }

  private static void produce(BrokerClients clients, String codec, int seconds) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    try (KafkaProducer<byte[], byte[]> producer =
        clients.producer(Map.of("compression.type", codec, "linger.ms", 20))) {
      long start = System.nanoTime();
      for (int i = 0; i < seconds * RECORDS_PER_SECOND; i++) {
        long due = start + i * TimeUnit.SECONDS.toNanos(1) / RECORDS_PER_SECOND;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        byte[] key = ByteBuffer.allocate(4).putInt(random.nextInt(KEYS)).array();
        var unused = producer.send(new ProducerRecord<>("t", key, value(random)));
      }
    }
  }

  /** Returns text that compresses to about half of its size. */
  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ('a' + random.nextInt(16));
    }
    return value;
  }
}
