// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.tiered.TieredPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker tiers a topic with Kafka's {@code LocalTieredStorage}, and the audit reads both parts.
 */
@Tag("broker")
class TieredBrokerIT {
  private static final String TOPIC = "orders";
  private static final int ROUNDS = 25;
  private static final int RECORDS = 200;
  private static final int VALUE_BYTES = 1000;
  private static final int ABORTED_EACH = 5;
  private static final long WAIT_SECONDS = 60;

  @TempDir private Path folder;

  private static Map<String, String> settings(Path storage) {
    return Map.of(
        "remote.log.storage.system.enable",
        "true",
        "remote.log.storage.manager.class.name",
        "org.apache.kafka.server.log.remote.storage.LocalTieredStorage",
        "rsm.config.dir",
        storage.toString(),
        "remote.log.metadata.manager.listener.name",
        "PLAINTEXT",
        "rlmm.config.remote.log.metadata.topic.replication.factor",
        "1",
        "rlmm.config.remote.log.metadata.topic.num.partitions",
        "1",
        "remote.log.manager.task.interval.ms",
        "500",
        "log.retention.check.interval.ms",
        "500",
        "log.initial.task.delay.ms",
        "500");
  }

  private static void createTopic(BrokerProcess broker) throws Exception {
    NewTopic topic = BrokerClients.topic(TOPIC);
    topic.configs(
        Map.of(
            "remote.storage.enable",
            "true",
            "segment.bytes",
            "1048576",
            "local.retention.bytes",
            "1",
            "compression.type",
            "producer"));
    broker.clients().createTopics(List.of(topic));
  }

  private static void produce(BrokerProcess broker) throws Exception {
    Random random = new Random(1);
    try (KafkaProducer<byte[], byte[]> producer =
        broker.clients().producer(Map.of("transactional.id", "t", "linger.ms", 5))) {
      producer.initTransactions();
      for (int round = 1; round <= ROUNDS; round++) {
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

  private static long logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  /** Waits until only the active segment is on the disk of the broker. */
  private static void awaitTiering(BrokerProcess broker) throws Exception {
    Await.until(
        WAIT_SECONDS,
        () -> logs(broker.partition(TOPIC)) <= 1,
        () -> "segments are not tiered: " + broker.log());
  }

  /**
   * Kafka's own producer of {@code __remote_log_metadata} sends null keys, and is a client like
   * others. The enforced default rules do not stop the tiering.
   */
  @Test
  void theAuditIsCleanAndCountsWhatAConsumerReads() throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    try (BrokerProcess broker = start(storage)) {
      createTopic(broker);
      produce(broker);
      awaitTiering(broker);
      long consumed = broker.clients().read(TOPIC).size();
      assertRefusesNullKeys(broker);
      broker.stop();
      Audited audit = TieredAudit.of(storage, broker.partition(TOPIC));
      assertEquals(List.of(), audit.messages());
      assertEquals(List.of(), audit.errors());
      assertEquals(ROUNDS * RECORDS, consumed);
      assertEquals(consumed, audit.files().stream().mapToLong(TieredBrokerIT::data).sum());
      PartitionSummary tiered = audit.partitions().get(0);
      PartitionSummary local = audit.partitions().get(1);
      assertEquals(TOPIC, tiered.topic());
      assertTrue(tiered.segments() >= 4, tiered::toString);
      assertEquals(tiered.lastOffset() + 1, local.firstOffset());
      assertEquals(consumed + ROUNDS, local.lastOffset() + 1);
      assertEquals(
          ROUNDS / ABORTED_EACH, tiered.abortedTransactions() + local.abortedTransactions());
    }
  }

  private BrokerProcess start(Path storage) throws Exception {
    Path policy = folder.resolve("policy.properties");
    Files.writeString(
        policy,
        """
        default.key.required=true
        topics.all.match=*, _*
        topics.tiered.match=%s
        topics.tiered.key.required=false
        """
            .formatted(TOPIC));
    List<String> options = new ArrayList<>(Lines.jars().options());
    options.add("-Dbatchvalidator.policy=" + policy);
    List<Path> path = new ArrayList<>(Lines.jars().withDropIn("4.3"));
    path.addAll(TieredPlugin.ofKafka());
    return BrokerProcess.start(folder.resolve("broker"), path, options, settings(storage));
  }

  private static void assertRefusesNullKeys(BrokerProcess broker) throws Exception {
    broker.clients().createTopics("other");
    try (KafkaProducer<byte[], byte[]> producer = broker.clients().producer(Map.of())) {
      Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("other", new byte[1]));
      ExecutionException thrown = assertThrows(ExecutionException.class, sent::get);
      assertInstanceOf(InvalidRecordException.class, thrown.getCause());
    }
  }

  /** Returns the number of records without those of control batches. */
  private static long data(FileSummary file) {
    return file.tally().records() - file.tally().controlBatches();
  }
}
