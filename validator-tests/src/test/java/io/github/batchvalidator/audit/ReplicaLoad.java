// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** Clients of a cluster of three brokers that write until they are stopped. */
final class ReplicaLoad {
  static final String PLAIN = "plain";
  static final String COMPACTED = "compacted";
  static final String TRANSACTIONS = "transactions";
  static final String RETAINED = "retained";

  /** A topic with two replicas, one of which moves to another broker. */
  static final String MOVED = "moved";

  private static final short ALL = 3;
  private static final short TWO = 2;
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 2000;
  private static final long PAUSE_MS = 5;
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  private final BrokerClients clients;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  ReplicaLoad(BrokerClients clients) {
    this.clients = clients;
  }

  void createTopics() throws ExecutionException, InterruptedException {
    Map<String, String> small = Map.of("segment.bytes", "1048576");
    Map<String, String> compact = new HashMap<>(small);
    compact.put("cleanup.policy", "compact");
    compact.put("min.cleanable.dirty.ratio", "0.0001");
    compact.put("segment.ms", "700");
    Map<String, String> kept = new HashMap<>(small);
    kept.put("retention.bytes", "1048576");
    clients.createTopics(
        List.of(
            new NewTopic(PLAIN, CODECS.size(), ALL).configs(small),
            new NewTopic(COMPACTED, 1, ALL).configs(compact),
            new NewTopic(TRANSACTIONS, 1, ALL).configs(small),
            new NewTopic(RETAINED, 1, ALL).configs(kept),
            new NewTopic(MOVED, 1, TWO).configs(small)));
  }

  /** Starts to write to all topics. */
  void start() {
    for (int i = 0; i < CODECS.size(); i++) {
      sending(PLAIN, i, CODECS.get(i));
    }
    sending(COMPACTED, 0, "lz4");
    sending(RETAINED, 0, "none");
    sending(MOVED, 0, "zstd");
    threads.add(new Thread(this::transactions, "transactions"));
    threads.forEach(Thread::start);
  }

  private void sending(String topic, int partition, String codec) {
    Random random = new Random(partition);
    threads.add(
        new Thread(
            () -> {
              Map<String, Object> settings =
                  Map.of(
                      "compression.type",
                      codec,
                      "linger.ms",
                      2,
                      "request.timeout.ms",
                      5_000,
                      "delivery.timeout.ms", // the end of the load waits for each batch
                      20_000);
              try (KafkaProducer<byte[], byte[]> producer = clients.producer(settings)) {
                while (!stopped.get()) {
                  for (int i = 0; i < 10; i++) {
                    Future<RecordMetadata> unused = producer.send(record(topic, partition, random));
                  }
                  pause();
                }
              }
            },
            topic + "-" + partition));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, int partition, Random random) {
    byte[] value = new byte[random.nextInt(VALUE_BYTES)];
    random.nextBytes(value);
    String key = Integer.toString(random.nextInt(KEYS));
    return new ProducerRecord<>(topic, partition, key.getBytes(StandardCharsets.US_ASCII), value);
  }

  private void transactions() {
    Random random = new Random(7);
    while (!stopped.get()) {
      KafkaProducer<byte[], byte[]> producer =
          clients.producer(Map.of("transactional.id", "one", "transaction.timeout.ms", 10_000));
      try {
        producer.initTransactions();
        for (int i = 0; !stopped.get(); i++) {
          producer.beginTransaction();
          Future<RecordMetadata> unused = producer.send(record(TRANSACTIONS, 0, random));
          unused = producer.send(record(COMPACTED, 0, random));
          producer.flush();
          if (i % 3 == 0) {
            producer.abortTransaction();
          } else {
            producer.commitTransaction();
          }
        }
      } catch (KafkaException e) {
        // A leader has died. The next producer goes on.
      } finally {
        producer.close(Duration.ofSeconds(1));
      }
    }
  }

  /** Stops, and returns when all that was sent has an answer. */
  void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread each : threads) {
      each.join();
    }
  }
}
