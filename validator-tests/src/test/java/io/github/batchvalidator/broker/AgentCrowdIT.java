// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Producers that wait for each other's appends to one partition of a live broker with the agent:
 * while one is inspected others take the lock. Each record arrives once, as it was sent, in order.
 */
@Tag("broker")
class AgentCrowdIT {
  private static final int PRODUCERS = 6;
  private static final int RECORDS = 3_000;
  private static final int MOST_VALUE_BYTES = 2_000;
  private static final String TOPIC = "crowded";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachRecordArrivesOnceAndInOrder(boolean offLock) throws Exception {
    String line = Lines.brokers().get(0);
    List<String> options = List.of("-Dbatchvalidator.offLock=" + offLock);
    try (BrokerProcess broker =
            Lines.jars().start(BrokerBuild.DROP_IN_AGENT, line, directory, options);
        BrokerBeans beans = new BrokerBeans(broker)) {
      broker.clients().createTopics(TOPIC);
      produceAll(broker);
      requireAll(broker.clients().read(TOPIC));
      DropInMXBean counts = beans.dropIn();
      long stamped = counts.getOffLockStamped();
      if (offLock) {
        assertTrue(
            stamped > counts.getAccepted() / 2, stamped + " " + counts.getOffLockFallbacks());
        BrokerBuild.DROP_IN_AGENT.requireAtWork(broker, beans, true);
      } else {
        Exception idle =
            assertThrows(
                IllegalStateException.class,
                () -> BrokerBuild.DROP_IN_AGENT.requireAtWork(broker, beans, true));
        assertTrue(
            String.valueOf(idle.getMessage()).startsWith("DROP_IN_AGENT with "), idle::toString);
        assertEquals(0, stamped);
        assertEquals(Map.of(), counts.getOffLockFallbacks());
      }
    }
  }

  private static void produceAll(BrokerProcess broker) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
    try {
      List<Future<?>> producers = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        int producer = i;
        producers.add(
            threads.submit(
                () -> {
                  produce(broker, producer);
                  return null;
                }));
      }
      for (Future<?> producer : producers) {
        producer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void produce(BrokerProcess broker, int producer) throws Exception {
    Map<String, Object> settings = Map.of("compression.type", "gzip", "linger.ms", 0);
    try (KafkaProducer<byte[], byte[]> client = broker.clients().producer(settings)) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        sent.add(client.send(new ProducerRecord<>(TOPIC, key(producer, i), value(producer, i))));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  private static byte[] key(int producer, int number) {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(producer).putInt(number).array();
  }

  private static byte[] value(int producer, int number) {
    Random random = new Random((long) producer * RECORDS + number);
    byte[] value = new byte[random.nextInt(MOST_VALUE_BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ('a' + random.nextInt(8));
    }
    return value;
  }

  private static void requireAll(List<ConsumerRecord<byte[], byte[]>> records) {
    int[] next = new int[PRODUCERS];
    for (int i = 0; i < records.size(); i++) {
      ConsumerRecord<byte[], byte[]> record = records.get(i);
      assertEquals(i, record.offset());
      ByteBuffer key = ByteBuffer.wrap(record.key());
      int producer = key.getInt();
      assertEquals(next[producer]++, key.getInt(), () -> "producer " + producer);
      assertArrayEquals(value(producer, next[producer] - 1), record.value());
    }
    assertEquals(PRODUCERS * RECORDS, records.size());
  }
}
