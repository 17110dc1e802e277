// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A live broker with one flipped bit in a compacted partition: stock Kafka writes it into a batch
 * with a valid CRC. With the guard, the partition stays as it is, and the other one is compacted.
 */
@Tag("broker")
class CompactionBrokerIT {
  private static final String LINE = "4.3";
  private static final String FIRST = "00000000000000000000.log";
  private static final String LAG = "min.compaction.lag.ms";
  private static final Map<String, String> SETTINGS = Map.of("log.cleaner.backoff.ms", "100");
  private static final int SECONDS = 60;

  @TempDir private Path directory;

  @Test
  void aFlippedBitIsHiddenByAStockBroker() throws Exception {
    fill("stock");
    flip("stock");
    try (BrokerProcess broker = start("stock", List.of())) {
      byte[] before = Files.readAllBytes(first(broker, "damaged"));
      compact(broker.clients());
      Await.until(SECONDS, () -> !isEqual(first(broker, "damaged"), before), broker::log);
      String after = Files.readString(first(broker, "damaged"), StandardCharsets.ISO_8859_1);
      assertTrue(after.contains("walue"), "the flipped bit is written again");
    }
  }

  @Test
  void aFlippedBitStopsThePartitionAndNothingElse() throws Exception {
    fill("ours");
    flip("ours");
    List<String> guard =
        List.of(Lines.jars().agent(), "-Dbatchvalidator.stored.compaction=enforce");
    try (BrokerProcess broker = start("ours", guard);
        BrokerBeans beans = new BrokerBeans(broker)) {
      byte[] damaged = Files.readAllBytes(first(broker, "damaged"));
      byte[] sound = Files.readAllBytes(first(broker, "sound"));
      compact(broker.clients());
      Await.until(SECONDS, () -> !isEqual(first(broker, "sound"), sound), broker::log);
      MBeanServerConnection jmx = beans.connection();
      Await.until(SECONDS, () -> uncleanable(jmx) == 1, broker::log);
      assertArrayEquals(damaged, Files.readAllBytes(first(broker, "damaged")));
      CompactionMXBean counts =
          JMX.newMXBeanProxy(jmx, new ObjectName(CompactionMXBean.NAME), CompactionMXBean.class);
      assertEquals(Map.of("damaged-0", 1L), counts.getDamagedByPartition());
      assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), counts.getDamagedByReason());
      assertEquals(0, counts.getUncheckedSegments());
      assertTrue(broker.log().contains("Compaction of damaged-0 is stopped"), broker.log());
      assertEquals(0, number(jmx, "kafka.log:type=LogCleaner,name=DeadThreadCount"));
    }
  }

  private BrokerProcess start(String name, List<String> options) throws Exception {
    return Lines.jars().start(BrokerBuild.KAFKA, LINE, directory.resolve(name), options, SETTINGS);
  }

  private static Path first(BrokerProcess broker, String topic) {
    return broker.partition(topic).resolve(FIRST);
  }

  private static boolean isEqual(Path file, byte[] bytes) throws Exception {
    try {
      return Arrays.equals(bytes, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return true; // it is being replaced
    }
  }

  /** Writes three segments into both topics, which are not compacted yet, and stops the broker. */
  private void fill(String name) throws Exception {
    try (BrokerProcess broker = start(name, List.of())) {
      List<NewTopic> topics = new ArrayList<>();
      Map<String, String> configs =
          Map.of(
              "cleanup.policy",
              "compact",
              LAG,
              "1000000000",
              "min.cleanable.dirty.ratio",
              "0.0",
              "segment.ms",
              "100");
      for (String topic : List.of("damaged", "sound")) {
        topics.add(BrokerClients.topic(topic).configs(configs));
      }
      broker.clients().createTopics(topics);
      try (KafkaProducer<byte[], byte[]> producer =
          broker.clients().producer(Map.of("linger.ms", 100))) {
        for (int i = 0; i < 3; i++) {
          List<Future<?>> sent = new ArrayList<>();
          for (NewTopic topic : topics) {
            sent.add(producer.send(record(topic.name(), "a", "old " + i)));
            sent.add(producer.send(record(topic.name(), "b" + i, "value")));
          }
          for (Future<?> each : sent) {
            each.get();
          }
          Thread.sleep(300); // so that the next batch starts a segment
        }
      }
      broker.stop();
    }
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(
        topic, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** Flips a bit in the first segment of the damaged topic. */
  private void flip(String name) throws Exception {
    Path file;
    try (var all = Files.walk(directory.resolve(name))) {
      file = all.filter(each -> each.endsWith("damaged-0/" + FIRST)).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("value");
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private static void compact(BrokerClients clients) throws Exception {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (String topic : Set.of("damaged", "sound")) {
      changes.put(
          new ConfigResource(ConfigResource.Type.TOPIC, topic),
          List.of(new AlterConfigOp(new ConfigEntry(LAG, "0"), AlterConfigOp.OpType.SET)));
    }
    try (Admin admin = clients.admin()) {
      admin.incrementalAlterConfigs(changes).all().get();
    }
  }

  private static long uncleanable(MBeanServerConnection jmx) throws Exception {
    String pattern = "kafka.log:type=LogCleanerManager,name=uncleanable-partitions-count,*";
    long sum = 0;
    for (ObjectName each : jmx.queryNames(new ObjectName(pattern), null)) {
      sum += ((Number) jmx.getAttribute(each, "Value")).longValue();
    }
    return sum;
  }

  private static long number(MBeanServerConnection jmx, String name) throws Exception {
    return ((Number) jmx.getAttribute(new ObjectName(name), "Value")).longValue();
  }
}
