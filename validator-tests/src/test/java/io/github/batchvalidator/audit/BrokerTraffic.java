// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Clients of a live broker that leave something of everything in its data directory. */
final class BrokerTraffic {
  static final String COMPACTED = "compacted";
  static final String TRANSACTIONS = "transactions";
  static final String RETRIED = "retried";
  static final String MANY = "many";
  static final String ROLLED = "rolled";

  /**
   * What makes segments, snapshots of KRaft and compactions come soon. The controller writes a
   * record each half second, and so starts a segment of its log each second.
   */
  static final Map<String, String> SETTINGS =
      Map.of(
          "offsets.topic.num.partitions", "2",
          "offsets.topic.replication.factor", "1",
          "group.initial.rebalance.delay.ms", "0",
          "log.cleaner.backoff.ms", "300",
          "log.retention.check.interval.ms", "200",
          "log.initial.task.delay.ms", "500",
          "metadata.log.max.record.bytes.between.snapshots", "2000",
          "metadata.log.segment.ms", "1000",
          "log.index.interval.bytes", "512");

  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final long TIMEOUT_SECONDS = 60;
  private static final long PAUSE_MS = 800;
  private static final int VALUE_BYTES = 700;

  /** Fills a segment with some 50 records. */
  private static final int LARGE_VALUE_BYTES = 40_000;

  private final BrokerProcess broker;
  private final BrokerClients clients;
  private final Random random = new Random(5);

  BrokerTraffic(BrokerProcess broker) {
    this.broker = broker;
    clients = broker.clients();
  }

  /** Creates the topics, which is traffic of the metadata log. */
  void createTopics() throws ExecutionException, InterruptedException {
    Map<String, String> small = Map.of("segment.bytes", "1048576");
    Map<String, String> compact = new HashMap<>(small);
    compact.put("cleanup.policy", "compact");
    compact.put("min.cleanable.dirty.ratio", "0.0001");
    Map<String, String> kept = new HashMap<>(small);
    kept.put("retention.bytes", "1048576");
    kept.put("file.delete.delay.ms", "100");
    clients.createTopics(
        List.of(
            BrokerClients.topic(COMPACTED).configs(compact),
            BrokerClients.topic(TRANSACTIONS).configs(small),
            BrokerClients.topic(ROLLED).configs(kept),
            new NewTopic(RETRIED, 2, (short) 1),
            new NewTopic(MANY, 20, (short) 1)));
  }

  /** Sends a record whose fate does not matter. */
  private void send(KafkaProducer<byte[], byte[]> producer, String topic, int key) {
    Future<RecordMetadata> unused = producer.send(record(topic, key));
  }

  private ProducerRecord<byte[], byte[]> record(String topic, int key) {
    byte[] value = new byte[random.nextInt(topic.equals(ROLLED) ? LARGE_VALUE_BYTES : VALUE_BYTES)];
    random.nextBytes(value);
    byte[] name = Integer.toString(key).getBytes(StandardCharsets.US_ASCII);
    return new ProducerRecord<>(topic, 0, name, value);
  }

  /** Writes few keys often, with each codec. */
  void compacted() throws ExecutionException, InterruptedException {
    for (String codec : CODECS) {
      try (KafkaProducer<byte[], byte[]> producer =
          clients.producer(Map.of("compression.type", codec, "linger.ms", 5))) {
        // If the partition has no leader yet, the first batch is retried. Later ones must not pass
        // it.
        producer.send(record(COMPACTED, 0)).get();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 1; i < 2000; i++) {
          sent.add(producer.send(record(COMPACTED, random.nextInt(150))));
        }
        awaitAll(sent);
      }
    }
  }

  private static void awaitAll(List<Future<RecordMetadata>> sent)
      throws ExecutionException, InterruptedException {
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  /** Returns when the cleaner has compacted the topic. */
  void awaitCompaction() throws Exception {
    Path checkpoint = broker.data().resolve("cleaner-offset-checkpoint");
    Await.until(
        TIMEOUT_SECONDS,
        () -> Files.exists(checkpoint) && Files.readString(checkpoint).contains(COMPACTED),
        () -> "no compaction: " + broker.log());
  }

  /** Returns when the broker has deleted a segment. */
  void awaitDeletion() throws Exception {
    Path first = broker.data().resolve(ROLLED + "-0").resolve("00000000000000000000.log");
    Await.until(TIMEOUT_SECONDS, () -> !Files.exists(first), () -> "no deletion: " + broker.log());
  }

  /** Commits and aborts transactions of two producers, and leaves one open. */
  void transactions() {
    try (KafkaConsumer<byte[], byte[]> consumer = clients.consumer(Map.of("group.id", "group"));
        KafkaProducer<byte[], byte[]> one = clients.producer(Map.of("transactional.id", "one"));
        KafkaProducer<byte[], byte[]> two = clients.producer(Map.of("transactional.id", "two"))) {
      one.initTransactions();
      two.initTransactions();
      for (int i = 0; i < 20; i++) {
        one.beginTransaction();
        two.beginTransaction();
        send(one, TRANSACTIONS, 1);
        send(two, TRANSACTIONS, 2);
        two.flush();
        send(one, TRANSACTIONS, 1);
        for (int partition = 0; partition < 2; partition++) {
          one.sendOffsetsToTransaction(
              Map.of(new TopicPartition(RETRIED, partition), new OffsetAndMetadata(i)),
              consumer.groupMetadata());
        }
        end(one, i % 3 != 0);
        send(two, TRANSACTIONS, 2);
        end(two, i % 4 != 0);
      }
    }
  }

  private static void end(KafkaProducer<byte[], byte[]> producer, boolean commits) {
    if (commits) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  /** Starts a transaction, and closes its producer without an end. */
  void openTransaction() {
    KafkaProducer<byte[], byte[]> producer = clients.producer(Map.of("transactional.id", "open"));
    producer.initTransactions();
    producer.beginTransaction();
    send(producer, TRANSACTIONS, 3);
    producer.flush();
    producer.close(Duration.ZERO);
  }

  /** Stops the broker for a time, so that its clients send batches again. */
  void retried() throws Exception {
    Map<String, Object> impatient =
        Map.of(
            "request.timeout.ms", 300,
            "delivery.timeout.ms", 60_000,
            "retry.backoff.ms", 20,
            "linger.ms", 1,
            "max.block.ms", 60_000);
    try (KafkaProducer<byte[], byte[]> producer = clients.producer(impatient)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      producer.send(record(RETRIED, 0)).get();
      for (int i = 0; i < 3; i++) {
        Thread pause = pause();
        for (int k = 0; k < 30; k++) {
          sent.add(producer.send(record(RETRIED, k)));
          Thread.sleep(10);
        }
        awaitAll(sent);
        pause.join();
      }
      double retries =
          producer.metrics().entrySet().stream()
              .filter(each -> each.getKey().name().equals("record-retry-total"))
              .mapToDouble(each -> (double) each.getValue().metricValue())
              .max()
              .orElseThrow();
      if (retries == 0) {
        throw new IllegalStateException("no batch was sent again");
      }
    }
  }

  /** Stops the broker, and returns the thread that lets it go on. */
  private Thread pause() throws IOException, InterruptedException {
    signal("STOP");
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(PAUSE_MS);
                signal("CONT");
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(broker.pid())).start().waitFor();
  }

  /**
   * Starts threads that write to all topics until the broker dies: with each codec, in
   * transactions, to a topic that is compacted, and to one whose segments roll and are deleted.
   */
  List<Thread> load() throws ExecutionException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (String codec : CODECS) {
      threads.add(sending(MANY, clients.producer(patient("compression.type", codec))));
    }
    threads.add(sending(COMPACTED, clients.producer(patient("compression.type", "lz4"))));
    threads.add(sending(ROLLED, clients.producer(patient("compression.type", "none"))));
    threads.add(inTransactions("one"));
    threads.add(inTransactions("two"));
    threads.forEach(Thread::start);
    return threads;
  }

  /**
   * Returns settings of a producer that waits for a slow broker. No call blocks for more than 10 s
   * after the broker has died.
   */
  private static Map<String, Object> patient(String key, String value) {
    return Map.of("delivery.timeout.ms", 60_000, "max.block.ms", 10_000, key, value);
  }

  private Thread sending(String topic, KafkaProducer<byte[], byte[]> producer)
      throws ExecutionException, InterruptedException {
    producer.send(record(topic, 0)).get();
    return new Thread(
        () -> {
          for (int key = 0; broker.isAlive(); key++) {
            send(producer, topic, key % 150);
          }
          producer.close(Duration.ZERO);
        });
  }

  private Thread inTransactions(String id) throws InterruptedException {
    KafkaProducer<byte[], byte[]> producer = clients.producer(patient("transactional.id", id));
    Await.until(
        TIMEOUT_SECONDS, () -> isInitialized(producer), () -> "no transactions of producer " + id);
    return new Thread(
        () -> {
          try {
            for (int i = 0; broker.isAlive(); i++) {
              producer.beginTransaction();
              send(producer, TRANSACTIONS, i);
              send(producer, MANY, i);
              end(producer, i % 3 != 0);
            }
          } catch (KafkaException e) { // the broker has died
          } finally {
            producer.close(Duration.ZERO); // any other close waits for the end of the transaction
          }
        });
  }

  /** Returns false if the transaction of a killed producer has not ended in time. */
  private static boolean isInitialized(KafkaProducer<byte[], byte[]> producer) {
    try {
      producer.initTransactions();
      return true;
    } catch (TimeoutException e) { // the call may be repeated
      return false;
    }
  }
}
