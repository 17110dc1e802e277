// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.bench.broker.BrokerProcess;
import io.github.batchvalidator.broker.Scenario.Producing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's own clients. What they send depends on the scenario alone: a batch is what lies between
 * two flushes, and one is under way at a time.
 */
final class Clients implements Client {
  private static final int LARGEST_BYTES = 4 << 20;
  private static final long NEVER_MS = TimeUnit.MINUTES.toMillis(10);
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final BrokerProcess broker;
  private final KafkaConsumer<byte[], byte[]> all;
  private final KafkaConsumer<byte[], byte[]> committed;

  Clients(BrokerProcess broker) {
    this.broker = broker;
    all = consumer(broker, "read_uncommitted");
    committed = consumer(broker, "read_committed");
  }

  /** Makes the topics of scenarios. */
  static void createTopics(BrokerProcess broker, List<Scenario> scenarios)
      throws ExecutionException, InterruptedException {
    List<NewTopic> topics =
        scenarios.stream()
            .map(s -> new NewTopic(s.topic(), Optional.of(1), Optional.empty()).configs(s.config()))
            .toList();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(topics).all().get();
    }
  }

  @Override
  public Map<String, Outcome> run(List<Scenario> scenarios) throws InterruptedException {
    Map<String, Outcome> outcomes = new TreeMap<>();
    for (Scenario scenario : scenarios) {
      outcomes.put(scenario.topic(), run(scenario));
    }
    return outcomes;
  }

  private Outcome run(Scenario scenario) throws InterruptedException {
    List<List<Answer>> answers = produce(scenario);
    return new Outcome(
        answers,
        read(all, scenario.topic()),
        read(committed, scenario.topic()),
        broker.partition(scenario.topic()));
  }

  private List<List<Answer>> produce(Scenario scenario) throws InterruptedException {
    List<List<Answer>> answers = new ArrayList<>();
    boolean transactional = scenario.producing() == Producing.TRANSACTIONAL;
    try (KafkaProducer<byte[], byte[]> producer = producer(scenario)) {
      if (transactional) {
        producer.initTransactions();
      }
      for (int i = 0; i < scenario.batches().size(); i++) {
        if (transactional) {
          producer.beginTransaction();
        }
        answers.add(sendAsOneBatch(producer, scenario.batches().get(i)));
        if (scenario.aborts(i)) {
          producer.abortTransaction();
        } else if (transactional) {
          producer.commitTransaction();
        }
      }
    }
    return answers;
  }

  private KafkaProducer<byte[], byte[]> producer(Scenario scenario) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", broker.address());
    config.put("compression.type", scenario.codec().name().toLowerCase(Locale.ROOT));
    config.put("enable.idempotence", scenario.producing() != Producing.PLAIN);
    if (scenario.producing() == Producing.TRANSACTIONAL) {
      config.put("transactional.id", scenario.topic());
    }
    config.put("acks", "all");
    config.put("linger.ms", NEVER_MS);
    config.put("delivery.timeout.ms", 2 * (int) NEVER_MS);
    config.put("batch.size", LARGEST_BYTES);
    config.put("max.request.size", LARGEST_BYTES);
    config.put("max.in.flight.requests.per.connection", 1);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static List<Answer> sendAsOneBatch(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      sent.add(producer.send(record));
    }
    producer.flush();
    List<Answer> answers = new ArrayList<>();
    for (Future<RecordMetadata> future : sent) {
      try {
        answers.add(Answer.of(future.get()));
      } catch (ExecutionException e) {
        answers.add(Answer.of(Objects.requireNonNull(e.getCause())));
      }
    }
    return answers;
  }

  /** Returns all records of the only partition of a topic. */
  static List<ConsumerRecord<byte[], byte[]>> read(BrokerProcess broker, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(broker, "read_uncommitted")) {
      return read(consumer, topic);
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
    TopicPartition partition = partitions.get(0);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    long end = Objects.requireNonNull(consumer.endOffsets(partitions).get(partition));
    long deadline = System.nanoTime() + READ_NANOS;
    while (consumer.position(partition) < end) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(topic + " cannot be read to its end");
      }
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
    }
    return records;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(BrokerProcess broker, String isolation) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", broker.address(), "isolation.level", isolation);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    all.close();
    committed.close();
  }
}
