// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.tiered.TieredMXBean;
import io.github.batchvalidator.tiered.TieredPlugin;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that tiers to Kafka's {@code LocalTieredStorage} through the wrapper. */
@Tag("broker")
class TieredStorageBrokerIT {
  private static final String TOPIC = "orders";
  private static final int SEGMENT_BYTES = 1 << 20;
  private static final int RECORDS = 200;
  private static final int VALUE_BYTES = 1000;
  private static final int ROUNDS = 30;
  private static final int ABORTED_EACH = 5;
  private static final int RETRIES = 3;
  private static final long WAIT_SECONDS = 90;
  private static final String FAILURES =
      "kafka.server:type=BrokerTopicMetrics,name=RemoteCopyErrorsPerSec,topic=" + TOPIC;

  @TempDir private Path folder;

  /** Writes segments of all codecs, with transactions, before the topic is tiered. */
  private static void produce(BrokerProcess broker) throws Exception {
    NewTopic topic = BrokerClients.topic(TOPIC);
    topic.configs(
        Map.of(
            "segment.bytes",
            Integer.toString(SEGMENT_BYTES),
            "local.retention.bytes",
            "1",
            "compression.type",
            "producer"));
    broker.clients().createTopics(List.of(topic));
    Random random = new Random(1);
    for (Codec codec : Codec.values()) {
      Map<String, Object> settings =
          Map.of(
              "transactional.id",
              "t",
              "linger.ms",
              5,
              "compression.type",
              codec.name().toLowerCase(Locale.ROOT));
      try (KafkaProducer<byte[], byte[]> producer = broker.clients().producer(settings)) {
        producer.initTransactions();
        for (int round = 1; round <= ROUNDS / Codec.values().length; round++) {
          producer.beginTransaction();
          List<Future<RecordMetadata>> sent = new ArrayList<>();
          for (int i = 0; i < RECORDS; i++) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            sent.add(producer.send(new ProducerRecord<>(TOPIC, 0, null, value)));
          }
          producer.flush();
          for (Future<RecordMetadata> each : sent) {
            each.get();
          }
          if (round % ABORTED_EACH == 0) {
            producer.abortTransaction();
          } else {
            producer.commitTransaction();
          }
        }
      }
    }
  }

  private static void enableTiering(BrokerProcess broker) throws Exception {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
    AlterConfigOp enable =
        new AlterConfigOp(
            new ConfigEntry("remote.storage.enable", "true"), AlterConfigOp.OpType.SET);
    try (Admin admin = broker.clients().admin()) {
      admin.incrementalAlterConfigs(Map.of(topic, List.of(enable))).all().get();
    }
  }

  private static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private static List<Path> uploaded(Path storage) throws IOException {
    try (Stream<Path> files = Files.walk(storage)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private static void await(BrokerProcess broker, String what, Await.Condition<Exception> condition)
      throws Exception {
    Await.until(WAIT_SECONDS, condition, () -> "not in time: " + what + "\n" + broker.log());
  }

  private static void flip(Path file, long position) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(position);
      int before = open.read();
      open.seek(position);
      open.write(before ^ 1);
    }
  }

  private static TieredMXBean bean(BrokerBeans beans) throws Exception {
    return JMX.newMXBeanProxy(
        beans.connection(), new ObjectName(TieredMXBean.NAME), TieredMXBean.class);
  }

  @Test
  void aRefusedSegmentStaysOnTheBrokerAndIsUploadedAfterItsRepair() throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    Map<String, String> settings =
        TieredPlugin.settings(storage, "AuditingStorageManager", "enforce");
    settings.put("remote.log.storage.manager.class.path", TieredPlugin.classPath());
    try (BrokerProcess broker =
        BrokerProcess.start(
            folder.resolve("broker"),
            Lines.jars().stock("4.3"),
            Lines.jars().options(),
            settings)) {
      produce(broker);
      List<Path> local = logs(broker.partition(TOPIC));
      assertTrue(local.size() >= 5, local::toString);
      Path damaged = local.get(2);
      byte[] sound = Files.readAllBytes(damaged);
      flip(damaged, SEGMENT_BYTES / 2);
      enableTiering(broker);
      try (BrokerBeans beans = new BrokerBeans(broker)) {
        TieredMXBean bean = bean(beans);
        await(broker, "retries", () -> bean.getRefused() >= RETRIES);
        assertEquals(1, bean.getDamagedSegments());
        assertEquals(1, bean.getDamaged(), "retries do not read the segment again");
        assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), bean.getFaultsByReason());
        assertTrue(bean.getLastFault().contains(damaged.toString()), bean::getLastFault);
        Object failures = beans.connection().getAttribute(new ObjectName(FAILURES), "Count");
        assertTrue((long) failures >= RETRIES - 1, failures::toString);
        assertEquals(2, uploaded(storage).size(), "later segments wait");
        assertTrue(Files.exists(damaged), "the only copy");
        assertEquals(local.size() - 2, logs(broker.partition(TOPIC)).size());

        flip(damaged, SEGMENT_BYTES / 2);
        await(broker, "tiering", () -> logs(broker.partition(TOPIC)).size() == 1);
        assertEquals(0, bean.getDamagedSegments());
        assertEquals(local.size() - 1, uploaded(storage).size());
        assertTrue(Arrays.equals(sound, Files.readAllBytes(uploaded(storage).get(2))));
      }
      assertEquals(
          ROUNDS / Codec.values().length * Codec.values().length * RECORDS,
          broker.clients().read(TOPIC).size());
      broker.stop();
      Audited audit = TieredAudit.of(storage, broker.partition(TOPIC));
      assertEquals(List.of(), audit.messages());
    }
  }

  /** Without a class path of its own, so that metrics of a manager arrive. */
  @Test
  void observeUploadsADamagedSegmentAndCountsIt() throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    List<Path> classPath = new ArrayList<>(Lines.jars().withDropIn("4.3"));
    classPath.addAll(TieredPlugin.jars());
    try (BrokerProcess broker =
        BrokerProcess.start(
            folder.resolve("broker"),
            classPath,
            Lines.jars().options(),
            TieredPlugin.settings(storage, "MonitorableStorageManager", "observe"))) {
      produce(broker);
      flip(logs(broker.partition(TOPIC)).get(2), SEGMENT_BYTES / 2);
      enableTiering(broker);
      await(broker, "tiering", () -> logs(broker.partition(TOPIC)).size() == 1);
      try (BrokerBeans beans = new BrokerBeans(broker)) {
        TieredMXBean bean = bean(beans);
        assertEquals(1, bean.getDamaged());
        assertEquals(0, bean.getRefused());
        assertEquals("observe", bean.getMode());
        assertTrue(beans.hasDropIn(), "both are there");
      }
      assertTrue(broker.log().contains(" is damaged and is uploaded all the same: BATCH_CRC_MIS"));
      assertEquals(1, TieredAudit.of(storage).faults().size());
    }
  }
}
