// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A topic that a broker tiers: segments of 1 MiB, with transactions of which some are aborted. */
final class TieredTopic {
  static final String NAME = "orders";
  static final int SEGMENT_BYTES = 1 << 20;

  /** The number of records of a transaction. */
  static final int RECORDS = 200;

  /** Every fifth transaction of a producer is aborted. */
  static final int ABORTED_EACH = 5;

  private static final int VALUE_BYTES = 1000;
  private static final long WAIT_SECONDS = 90;

  private TieredTopic() {}

  /** Creates the topic, which is tiered now or later. */
  static void create(BrokerProcess broker, boolean isTiered) throws Exception {
    Map<String, String> configs = new HashMap<>();
    configs.put("segment.bytes", Integer.toString(SEGMENT_BYTES));
    configs.put("local.retention.bytes", "1");
    configs.put("compression.type", "producer");
    if (isTiered) {
      configs.put("remote.storage.enable", "true");
    }
    NewTopic topic = BrokerClients.topic(NAME);
    broker.clients().createTopics(List.of(topic.configs(configs)));
  }

  /** Writes a number of transactions. */
  static void produce(BrokerProcess broker, Codec codec, int transactions) throws Exception {
    Random random = new Random(codec.id());
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
      for (int round = 1; round <= transactions; round++) {
        producer.beginTransaction();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
          byte[] value = new byte[VALUE_BYTES];
          random.nextBytes(value);
          sent.add(producer.send(new ProducerRecord<>(NAME, 0, null, value)));
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

  /** Returns the segments of a directory, in order. */
  static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  /** Waits until only the active segment is on the disk of the broker. */
  static void awaitTiering(BrokerProcess broker) throws Exception {
    await(broker, "tiering", () -> logs(broker.partition(NAME)).size() == 1);
  }

  static void await(BrokerProcess broker, String what, Await.Condition<Exception> condition)
      throws Exception {
    Await.until(WAIT_SECONDS, condition, () -> "not in time: " + what + "\n" + broker.log());
  }
}
