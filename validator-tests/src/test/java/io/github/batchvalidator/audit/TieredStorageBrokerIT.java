// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
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
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A broker that tiers to Kafka's {@code LocalTieredStorage} through the wrapper. */
@Tag("broker")
class TieredStorageBrokerIT {
  private static final int TRANSACTIONS = 6;
  private static final int RETRIES = 3;
  private static final String FAILURES =
      "kafka.server:type=BrokerTopicMetrics,name=RemoteCopyErrorsPerSec,topic=" + TieredTopic.NAME;

  @TempDir private Path folder;

  /** Kafka's manager is part of its tests: the build has those of 4.1 to 4.3. */
  static List<String> lines() {
    return Lines.brokers().stream().filter(TieredPlugin::isAvailable).toList();
  }

  /** Writes segments of all codecs, with transactions, before the topic is tiered. */
  private static void produce(BrokerProcess broker) throws Exception {
    TieredTopic.create(broker, false);
    for (Codec codec : Codec.values()) {
      TieredTopic.produce(broker, codec, TRANSACTIONS);
    }
  }

  private static void enableTiering(BrokerProcess broker) throws Exception {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, TieredTopic.NAME);
    AlterConfigOp enable =
        new AlterConfigOp(
            new ConfigEntry("remote.storage.enable", "true"), AlterConfigOp.OpType.SET);
    try (Admin admin = broker.clients().admin()) {
      admin.incrementalAlterConfigs(Map.of(topic, List.of(enable))).all().get();
    }
  }

  private static List<Path> uploaded(Path storage) throws IOException {
    try (Stream<Path> files = Files.walk(storage)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  /** Returns the position in the third segment of a byte that the checksum of a batch covers. */
  private static int checkedByte(BrokerProcess broker) throws IOException {
    List<StoredLog.Batch> batches = new StoredLog(broker.partition(TieredTopic.NAME)).batches(2);
    StoredLog.Batch batch = batches.get(batches.size() / 2);
    return batch.position() + batch.bytes() - 2;
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

  @ParameterizedTest
  @MethodSource("lines")
  void aRefusedSegmentStaysOnTheBrokerAndIsUploadedAfterItsRepair(String line) throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    Map<String, String> settings =
        TieredPlugin.settings(storage, "AuditingStorageManager", "enforce");
    settings.put("remote.log.storage.manager.class.path", TieredPlugin.classPath(line));
    try (BrokerProcess broker =
        BrokerProcess.start(
            folder.resolve("broker"), Lines.jars().stock(line), Lines.jars().options(), settings)) {
      produce(broker);
      List<Path> local = TieredTopic.logs(broker.partition(TieredTopic.NAME));
      assertTrue(local.size() >= 5, local::toString);
      Path damaged = local.get(2);
      byte[] sound = Files.readAllBytes(damaged);
      int position = checkedByte(broker);
      flip(damaged, position);
      enableTiering(broker);
      try (BrokerBeans beans = new BrokerBeans(broker)) {
        TieredMXBean bean = bean(beans);
        TieredTopic.await(broker, "retries", () -> bean.getRefused() >= RETRIES);
        assertEquals(1, bean.getDamagedSegments());
        assertEquals(1, bean.getDamaged(), "retries do not read the segment again");
        assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), bean.getFaultsByReason());
        assertTrue(bean.getLastFault().contains(damaged.toString()), bean::getLastFault);
        Object failures = beans.connection().getAttribute(new ObjectName(FAILURES), "Count");
        assertTrue((long) failures >= RETRIES - 1, failures::toString);
        assertEquals(2, uploaded(storage).size(), "later segments wait");
        assertTrue(Files.exists(damaged), "the only copy");
        TieredTopic.await(
            broker,
            "local deletion",
            () -> TieredTopic.logs(broker.partition(TieredTopic.NAME)).size() == local.size() - 2);

        flip(damaged, position);
        TieredTopic.awaitTiering(broker);
        assertEquals(0, bean.getDamagedSegments());
        assertEquals(local.size() - 1, uploaded(storage).size());
        assertTrue(Arrays.equals(sound, Files.readAllBytes(uploaded(storage).get(2))));
      }
      assertEquals(
          TRANSACTIONS * Codec.values().length * TieredTopic.RECORDS,
          broker.clients().read(TieredTopic.NAME).size());
      broker.stop();
      Audited audit = TieredAudit.of(storage, broker.partition(TieredTopic.NAME));
      assertEquals(List.of(), audit.messages());
    }
  }

  /** Without a class path of its own, so that metrics of a manager arrive. */
  @Test
  void observeUploadsADamagedSegmentAndCountsIt() throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    List<Path> classPath = new ArrayList<>(Lines.jars().withDropIn("4.3"));
    classPath.addAll(TieredPlugin.jars("4.3"));
    try (BrokerProcess broker =
        BrokerProcess.start(
            folder.resolve("broker"),
            classPath,
            Lines.jars().options(),
            TieredPlugin.settings(storage, "MonitorableStorageManager", "observe"))) {
      produce(broker);
      flip(TieredTopic.logs(broker.partition(TieredTopic.NAME)).get(2), checkedByte(broker));
      enableTiering(broker);
      TieredTopic.awaitTiering(broker);
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
