// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A producer and a consumer at a steady rate, and their latencies. */
final class ClientLoad implements AutoCloseable {
  private static final int VALUE_BYTES = 1024;
  private static final int PER_SECOND = 500;

  private final List<Long> produced = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> fetched = Collections.synchronizedList(new ArrayList<>());
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread reader;
  private volatile boolean ended;

  ClientLoad(BrokerClients clients, String topic) {
    this.topic = topic;
    producer = clients.producer(Map.of("acks", "all", "linger.ms", 0));
    consumer = clients.consumer(Map.of("fetch.min.bytes", 1));
    consumer.assign(List.of(new TopicPartition(topic, 0)));
    reader = new Thread(this::read, "reader");
    reader.start();
  }

  private void read() {
    while (!ended) {
      consumer
          .poll(Duration.ofMillis(50))
          .forEach(
              each -> fetched.add(System.nanoTime() - ByteBuffer.wrap(each.value()).getLong()));
    }
    consumer.close();
  }

  /** Sends records for some time, and returns the latencies, each sorted. */
  Latencies run(int seconds, Random random) {
    produced.clear();
    fetched.clear();
    long next = System.nanoTime();
    long end = next + TimeUnit.SECONDS.toNanos(seconds);
    while (next < end) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      long sent = System.nanoTime();
      ByteBuffer.wrap(value).putLong(sent);
      var unused =
          producer.send(
              new ProducerRecord<>(topic, 0, null, value),
              (metadata, error) -> produced.add(System.nanoTime() - sent));
      next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
      LockSupport.parkNanos(next - System.nanoTime());
    }
    producer.flush();
    return new Latencies(sorted(produced), sorted(fetched));
  }

  private static List<Long> sorted(List<Long> latencies) {
    List<Long> sorted = new ArrayList<>(List.of(latencies.toArray(Long[]::new)));
    Collections.sort(sorted);
    return sorted;
  }

  /**
   * The latencies of a phase.
   *
   * @param produced from the call of the producer to the acknowledgment, in nanoseconds
   * @param fetched from the call of the producer to the arrival at the consumer
   */
  record Latencies(List<Long> produced, List<Long> fetched) {
    static double millis(List<Long> sorted, double quantile) {
      return sorted.get((int) (quantile * (sorted.size() - 1))) / 1e6;
    }
  }

  @Override
  public void close() {
    producer.close();
    ended = true;
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
