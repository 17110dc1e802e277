// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.BrokerBeans;
import io.github.batchvalidator.bench.broker.BrokerProcess;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Live brokers with a policy file: topics with different rules, reloads, and invalid files. */
@Tag("broker")
class PolicyBrokerIT {
  private static final byte[] KEY = {'k'};

  /** A batch is what is sent between two flushes. */
  private static final int FLUSHED = 600_000;

  private static final UUID GUID = new UUID(17, 18);
  private static final String RULES =
      """
      topics.orders.match=orders*
      topics.orders.key.required=true
      topics.orders.value.schema=either
      topics.orders.value.schema.ids=7, %s%s
      topics.events.match=events
      topics.events.value.starts=json-object
      topics.watched.match=watched
      topics.watched.observe=true
      topics.watched.value.starts=json-object
      """;

  @TempDir private Path folder;

  private Path file = Path.of("none");

  private void write(String moreIds) throws Exception {
    Files.writeString(file, RULES.formatted(GUID, moreIds));
  }

  private static byte[] confluent(int id) {
    return ByteBuffer.allocate(9).put((byte) 0).putInt(id).array();
  }

  private static Header guid(UUID guid) {
    ByteBuffer value = ByteBuffer.allocate(17).put((byte) 1);
    value.putLong(guid.getMostSignificantBits()).putLong(guid.getLeastSignificantBits());
    return new RecordHeader("__value_schema_id", value.array());
  }

  private static KafkaProducer<byte[], byte[]> producer(
      BrokerProcess broker, String codec, int lingerMs) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            broker.address(),
            "compression.type",
            codec,
            "linger.ms",
            lingerMs,
            "delivery.timeout.ms",
            1_200_000,
            "batch.size",
            1 << 20);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends records as one batch, and returns why each of them failed, or null. */
  private static List<@Nullable Throwable> send(
      KafkaProducer<byte[], byte[]> producer, String topic, byte[]... values)
      throws InterruptedException {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte[] value : values) {
      records.add(new ProducerRecord<>(topic, 0, KEY, value));
    }
    return send(producer, records);
  }

  private static List<@Nullable Throwable> send(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    records.forEach(record -> sent.add(producer.send(record)));
    producer.flush();
    List<@Nullable Throwable> answers = new ArrayList<>();
    for (Future<RecordMetadata> future : sent) {
      try {
        future.get();
        answers.add(null);
      } catch (ExecutionException e) {
        answers.add(e.getCause());
      }
    }
    return answers;
  }

  private static boolean accepted(List<@Nullable Throwable> answers) {
    return answers.stream().allMatch(answer -> answer == null);
  }

  private BrokerProcess start(String line, boolean withAgent) throws Exception {
    file = folder.resolve("policy.properties");
    List<String> options = new ArrayList<>(List.of("-Dbatchvalidator.policy=" + file));
    if (withAgent) {
      options.add(BuiltJars.agent());
    }
    Path home = Files.createDirectory(folder.resolve("broker"));
    BrokerProcess broker = BrokerProcess.start(home, BuiltJars.ours(line), options);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String topic : List.of("orders-eu", "events", "watched", "other")) {
        topics.add(new NewTopic(topic, Optional.of(1), Optional.empty()));
      }
      admin.createTopics(topics).all().get();
    }
    return broker;
  }

  @ParameterizedTest
  @CsvSource({"4.3, false", "4.3, true", "4.4, false", "4.4, true"})
  void topicsHaveTheirRules(String line, boolean withAgent) throws Exception {
    file = folder.resolve("policy.properties");
    write("");
    try (BrokerProcess broker = start(line, withAgent);
        KafkaProducer<byte[], byte[]> producer = producer(broker, "lz4", FLUSHED);
        KafkaProducer<byte[], byte[]> other = producer(broker, "snappy", 0);
        BrokerBeans beans = new BrokerBeans(broker)) {
      assertTrue(accepted(send(producer, "other", confluent(9))));
      DropInMXBean bean = beans.dropIn();
      assertEquals("", bean.getPolicyError());
      checkSchemaIds(producer);
      checkMisroutedBatch(producer);
      reloadUnderLoad(producer, other, bean);
      assertEquals(withAgent, bean.getOffLockStamped() > 0);
      assertNotEquals(0L, bean.getRefusedByReason().get("TOPIC_VALUE_SCHEMA_NOT_ALLOWED"));
      assertEquals(2, bean.getFoundByReason().get("TOPIC_VALUE_START_UNEXPECTED"));
      assertEquals(Map.of("watched", 2L), bean.getFoundBySection());
      assertEquals(Set.of("events", "orders"), bean.getRefusedBySection().keySet());
      assertTrue(broker.log().contains("A rule of the topic would refuse a batch for watched-0"));
    }
  }

  private static void checkSchemaIds(KafkaProducer<byte[], byte[]> producer) throws Exception {
    assertTrue(accepted(send(producer, "orders-eu", confluent(7), confluent(7))));
    List<@Nullable Throwable> answers =
        send(producer, "orders-eu", confluent(7), confluent(9), confluent(7));
    InvalidRecordException why = assertInstanceOf(InvalidRecordException.class, answers.get(1));
    assertTrue(String.valueOf(why.getMessage()).contains("schema id 9"), why::toString);
    assertFalse(answers.get(0) instanceof InvalidRecordException, "only the failing record");
    assertTrue(answers.get(0) != null && answers.get(2) != null, "but all of the batch");
    ProducerRecord<byte[], byte[]> byHeader =
        new ProducerRecord<>("orders-eu", 0, KEY, new byte[3], List.of(guid(GUID)));
    assertTrue(accepted(send(producer, List.of(byHeader))));
    ProducerRecord<byte[], byte[]> otherGuid =
        new ProducerRecord<>("orders-eu", 0, KEY, confluent(7), List.of(guid(new UUID(1, 1))));
    assertFalse(accepted(send(producer, List.of(otherGuid))));
    ProducerRecord<byte[], byte[]> noKey = new ProducerRecord<>("orders-eu", 0, null, confluent(7));
    assertFalse(accepted(send(producer, List.of(noKey))));
  }

  /** A batch of one topic that is sent to another, as in CVE-2026-35554. */
  private static void checkMisroutedBatch(KafkaProducer<byte[], byte[]> producer) throws Exception {
    byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    assertTrue(accepted(send(producer, "events", json, json)));
    assertFalse(accepted(send(producer, "events", confluent(7), confluent(7))));
    assertTrue(accepted(send(producer, "watched", json)));
    assertTrue(accepted(send(producer, "watched", confluent(7))));
    assertTrue(accepted(send(producer, "watched", confluent(8))));
  }

  private void reloadUnderLoad(
      KafkaProducer<byte[], byte[]> producer,
      KafkaProducer<byte[], byte[]> other,
      DropInMXBean bean)
      throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread neighbor = new Thread(() -> load(other, stopped, failure));
    neighbor.start();
    for (int i = 0; i < 5; i++) {
      write(", 9");
      assertEquals("", bean.reloadPolicy());
      assertTrue(accepted(send(producer, "orders-eu", confluent(9))));
      write("");
      assertEquals("", bean.reloadPolicy());
      assertFalse(accepted(send(producer, "orders-eu", confluent(9))));
    }
    write(", nine");
    assertTrue(bean.reloadPolicy().contains("nine is not legal"), bean::getPolicyError);
    assertFalse(bean.getPolicyError().isEmpty());
    assertFalse(accepted(send(producer, "orders-eu", confluent(9))), "the rules stay in use");
    assertTrue(accepted(send(producer, "orders-eu", confluent(7))));
    stopped.set(true);
    neighbor.join();
    assertEquals(null, failure.get());
  }

  private static void load(
      KafkaProducer<byte[], byte[]> producer,
      AtomicBoolean stopped,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      while (!stopped.get()) {
        producer.send(new ProducerRecord<>("other", 0, KEY, confluent(9))).get();
      }
    } catch (InterruptedException | ExecutionException e) {
      failure.set(e);
    }
  }

  /** The broker-wide settings apply until the file is corrected. */
  @ParameterizedTest
  @CsvSource({"4.4"})
  void startsWithAnInvalidFile(String line) throws Exception {
    Path invalid = folder.resolve("policy.properties");
    Files.writeString(invalid, "topics.orders.level=strict\n");
    try (BrokerProcess broker = start(line, false);
        KafkaProducer<byte[], byte[]> producer = producer(broker, "none", FLUSHED);
        BrokerBeans beans = new BrokerBeans(broker)) {
      assertTrue(accepted(send(producer, "orders-eu", confluent(9))));
      assertTrue(broker.log().contains("the broker-wide settings apply to all topics"));
      assertTrue(beans.dropIn().getPolicyError().contains("no match"));
      assertEquals(0, beans.dropIn().getPolicyLoadedAtMs());
      write("");
      long deadline = System.nanoTime() + 60_000_000_000L;
      while (!beans.dropIn().getPolicyError().isEmpty() && System.nanoTime() < deadline) {
        Thread.sleep(100);
      }
      assertEquals("", beans.dropIn().getPolicyError());
      assertFalse(accepted(send(producer, "orders-eu", confluent(9))));
    }
  }
}
