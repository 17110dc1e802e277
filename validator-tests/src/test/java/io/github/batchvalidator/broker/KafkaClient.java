// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.broker.Scenario.Producing;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka's own clients. What they send depends on the scenario alone: a batch is what lies between
 * two flushes, and one is under way at a time.
 */
final class KafkaClient implements Client {
  private static final int MARKER_SECONDS = 30;
  private static final int LARGEST_BYTES = 4 << 20;
  private static final long NEVER_MS = TimeUnit.MINUTES.toMillis(10);

  private final BrokerProcess broker;
  private final KafkaConsumer<byte[], byte[]> all;
  private final KafkaConsumer<byte[], byte[]> committed;

  KafkaClient(BrokerProcess broker) {
    this.broker = broker;
    all = broker.clients().consumer(Map.of());
    committed = broker.clients().consumer(Map.of("isolation.level", "read_committed"));
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
    awaitMarkers(scenario.topic());
    return new Outcome(
        answers,
        BrokerClients.read(all, scenario.topic()),
        BrokerClients.read(committed, scenario.topic()),
        broker.partition(scenario.topic()));
  }

  /** Waits for the marker of the last transaction, which Kafka writes after its answer. */
  private void awaitMarkers(String topic) throws InterruptedException {
    List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
    Await.until(
        MARKER_SECONDS,
        () -> committed.endOffsets(partition).equals(all.endOffsets(partition)),
        () -> topic + " has a transaction that does not end");
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
    return broker.clients().producer(config);
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

  @Override
  public void close() {
    all.close();
    committed.close();
  }
}
