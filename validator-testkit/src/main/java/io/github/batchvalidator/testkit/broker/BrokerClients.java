// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates Kafka's own clients, whose records are byte arrays. The broker may be down.
 *
 * @param addresses of one broker, or of several separated by commas
 */
public record BrokerClients(String addresses) {
  private static final long READ_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long IN_SYNC_SECONDS = 120;
  private static final long MARKER_SECONDS = 60;

  private Map<String, Object> with(Map<String, ?> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", addresses);
    return all;
  }

  /** Returns an administrator. */
  public Admin admin() {
    return Admin.create(with(Map.of()));
  }

  /** Returns a producer with some settings that are not Kafka's defaults. */
  public KafkaProducer<byte[], byte[]> producer(Map<String, ?> settings) {
    return new KafkaProducer<>(
        with(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Returns a consumer with some settings that are not Kafka's defaults. */
  public KafkaConsumer<byte[], byte[]> consumer(Map<String, ?> settings) {
    return new KafkaConsumer<>(
        with(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Returns a description of a topic of one partition. */
  public static NewTopic topic(String name) {
    return new NewTopic(name, Optional.of(1), Optional.empty());
  }

  /** Creates topics of one partition. */
  public void createTopics(String... names) throws ExecutionException, InterruptedException {
    createTopics(Stream.of(names).map(BrokerClients::topic).toList());
  }

  /** Creates topics. A partition may have no leader yet when this method returns. */
  public void createTopics(Collection<NewTopic> topics)
      throws ExecutionException, InterruptedException {
    try (Admin admin = admin()) {
      admin.createTopics(topics).all().get();
    }
  }

  /** Returns when each replica of some topics is in sync. */
  public void awaitInSync(Collection<String> topics) throws Exception {
    try (Admin admin = admin()) {
      Await.until(
          IN_SYNC_SECONDS,
          () -> describe(admin, topics).stream().allMatch(BrokerClients::isInSync),
          () -> "not in sync: " + describe(admin, topics));
    }
  }

  private static Collection<TopicDescription> describe(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    return admin.describeTopics(topics).allTopicNames().get().values();
  }

  private static boolean isInSync(TopicDescription topic) {
    return topic.partitions().stream()
        .allMatch(each -> each.isr().size() == each.replicas().size());
  }

  /**
   * Returns when no transaction is open in some partitions. Kafka writes the markers of a
   * transaction after it answers the producer. Consumers of committed records do not read past an
   * open transaction.
   *
   * @throws IllegalStateException if that takes longer than a minute
   */
  public void awaitMarkers(List<TopicPartition> partitions) throws InterruptedException {
    try (KafkaConsumer<byte[], byte[]> committed =
            consumer(Map.of("isolation.level", "read_committed"));
        KafkaConsumer<byte[], byte[]> all = consumer(Map.of())) {
      Await.until(
          MARKER_SECONDS,
          () -> committed.endOffsets(partitions).equals(all.endOffsets(partitions)),
          () -> "a transaction does not end: " + partitions);
    }
  }

  /** Returns all records of the first partition of a topic, aborted ones included. */
  public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of())) {
      return read(consumer, topic);
    }
  }

  /** Returns the records of the first partition of a topic. */
  public static List<ConsumerRecord<byte[], byte[]>> read(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    read(consumer, List.of(new TopicPartition(topic, 0)), records::add);
    return records;
  }

  /**
   * Reads partitions from their beginning to what is their end at the time of the call.
   *
   * @param each receives the records, those of a partition in their order
   * @throws IllegalStateException if that takes longer than three minutes
   */
  public static void read(
      KafkaConsumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long deadline = System.nanoTime() + READ_NANOS;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("cannot be read to " + ends);
      }
      consumer.poll(Duration.ofMillis(100)).forEach(each);
    }
  }
}
