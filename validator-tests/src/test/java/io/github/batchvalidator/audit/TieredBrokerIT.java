// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.tiered.TieredPlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
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
  private static final int TRANSACTIONS = 25;

  @TempDir private Path folder;

  /**
   * Kafka's own producer of {@code __remote_log_metadata} sends null keys, and is a client like
   * others. The enforced default rules do not stop the tiering.
   */
  @Test
  void theAuditIsCleanAndCountsWhatAConsumerReads() throws Exception {
    Path storage = Files.createDirectory(folder.resolve("storage"));
    try (BrokerProcess broker = start(storage)) {
      TieredTopic.create(broker, true);
      TieredTopic.produce(broker, Codec.NONE, TRANSACTIONS);
      TieredTopic.awaitTiering(broker);
      long consumed = broker.clients().read(TieredTopic.NAME).size();
      assertRefusesNullKeys(broker);
      broker.stop();
      Audited audit = TieredAudit.of(storage, broker.partition(TieredTopic.NAME));
      assertEquals(List.of(), audit.messages());
      assertEquals(List.of(), audit.errors());
      assertEquals(TRANSACTIONS * TieredTopic.RECORDS, consumed);
      assertEquals(consumed, audit.files().stream().mapToLong(TieredBrokerIT::data).sum());
      PartitionSummary tiered = audit.partitions().get(0);
      PartitionSummary local = audit.partitions().get(1);
      assertEquals(TieredTopic.NAME, tiered.topic());
      assertTrue(tiered.segments() >= 4, tiered::toString);
      assertEquals(tiered.lastOffset() + 1, local.firstOffset());
      assertEquals(consumed + TRANSACTIONS, local.lastOffset() + 1);
      assertEquals(
          TRANSACTIONS / TieredTopic.ABORTED_EACH,
          tiered.abortedTransactions() + local.abortedTransactions());
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
            .formatted(TieredTopic.NAME));
    List<String> options = new ArrayList<>(Lines.jars().options());
    options.add("-Dbatchvalidator.policy=" + policy);
    List<Path> path = new ArrayList<>(Lines.jars().withDropIn("4.3"));
    path.addAll(TieredPlugin.ofKafka("4.3"));
    return BrokerProcess.start(
        folder.resolve("broker"), path, options, TieredPlugin.settingsOfKafka(storage));
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
