// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Live brokers with a policy file: topics with different rules, reloads, and invalid files. */
@Tag("broker")
class PolicyBrokerIT {
  private static final byte[] KEY = {'k'};
  private static final String[] TOPICS = {
    "orders-eu", "events", "watched", "other", "archive", "traced", "mixed"
  };

  /** A batch is what is sent between two flushes. */
  private static final int FLUSHED = 600_000;

  private static final String CLIENT = "the-client";

  /** The number of the batch that belongs to another topic. */
  private static final int MISROUTED = 13;

  /** The number of Snappy batches of each shape. The walk's gate opens and shuts meanwhile. */
  private static final int SNAPPY_BATCHES = 40;

  /** The number of records of such a batch. */
  private static final int RECORDS = 20;

  private static final int HEADER_BYTES = 300;
  private static final int LARGE_VALUE_BYTES = 9_000;

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
      topics.archive.match=archive
      topics.archive.codecs=lz4, zstd
      topics.traced.match=traced
      topics.traced.codecs=lz4, zstd
      topics.traced.headers.required=traceparent
      topics.traced.headers.forbidden=debug
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
    Map<String, Object> settings =
        Map.of(
            "compression.type",
            codec,
            "client.id",
            CLIENT,
            "linger.ms",
            lingerMs,
            "delivery.timeout.ms",
            1_200_000,
            "batch.size",
            1 << 20);
    return broker.clients().producer(settings);
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
    List<String> options = List.of("-Dbatchvalidator.policy=" + file);
    Path home = folder.resolve("broker");
    BrokerProcess broker = Lines.jars().start(BrokerBuild.ours(withAgent), line, home, options);
    broker.clients().createTopics(TOPICS);
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
      checkCodecs(broker, producer);
      reloadUnderLoad(producer, other, bean);
      assertEquals(withAgent, bean.getOffLockStamped() > 0);
      assertNotEquals(0L, bean.getRefusedByReason().get("TOPIC_VALUE_SCHEMA_NOT_ALLOWED"));
      assertEquals(2, bean.getFoundByReason().get("TOPIC_VALUE_START_UNEXPECTED"));
      assertEquals(Map.of("watched", 2L), bean.getFoundBySection());
      assertEquals(
          Set.of("archive", "events", "orders", "traced"), bean.getRefusedBySection().keySet());
      checkLog(broker);
      checkThatKafkaLogsTheClient(broker, producer);
      checkMisroutedBatchInSegment(broker, producer);
    }
  }

  private static void checkLog(BrokerProcess broker) throws Exception {
    String log = broker.log();
    assertTrue(
        log.contains(
            "A rule of the topic would refuse a batch for watched-0 (section watched, record 0)"),
        log);
    assertTrue(
        log.contains(
            "A rule of the topic refuses a batch for orders-eu-0 (section orders, record 1), number"
                + " 1 of this kind: TOPIC_VALUE_SCHEMA_NOT_ALLOWED: the value has schema id 9"),
        log);
  }

  /** Kafka's own log names the client of a refused batch, if it is asked to. */
  private static void checkThatKafkaLogsTheClient(
      BrokerProcess broker, KafkaProducer<byte[], byte[]> producer) throws Exception {
    ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");
    AlterConfigOp debug =
        new AlterConfigOp(
            new ConfigEntry("kafka.server.KafkaApis", "DEBUG"), AlterConfigOp.OpType.SET);
    try (Admin admin = broker.clients().admin()) {
      admin.incrementalAlterConfigs(Map.of(loggers, List.of(debug))).all().get();
    }
    assertFalse(accepted(send(producer, "orders-eu", confluent(9))));
    String wanted = " from client " + CLIENT + " on partition ";
    assertTrue(
        broker
            .log()
            .lines()
            .anyMatch(text -> text.contains(wanted) && text.contains("orders-eu-0 failed due to")));
  }

  /** A topic without rules has what was sent to it by mistake. The audit finds it. */
  private static void checkMisroutedBatchInSegment(
      BrokerProcess broker, KafkaProducer<byte[], byte[]> producer) throws Exception {
    byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20; i++) {
      byte[] value = i == MISROUTED ? confluent(7) : json;
      assertTrue(accepted(send(producer, "mixed", value, value)));
    }
    Path segment = broker.partition("mixed").resolve("00000000000000000000.log");
    Run run = Run.of("profile", broker.partition("mixed").toString());
    assertEquals(0, run.exitCode(), run::err);
    List<String> outliers = run.out().lines().filter(text -> text.contains("OUTLIER")).toList();
    String place =
        " in one batch only: "
            + segment
            + " at byte "
            + positionOf(MISROUTED, segment)
            + ", offset "
            + 2 * MISROUTED;
    assertEquals(
        List.of(
            "  OUTLIER: value starts with confluent" + place,
            "  OUTLIER: schema id of value payload 7" + place),
        outliers);
  }

  /** Returns where the n-th batch of a segment starts, by Kafka's own reader. */
  private static long positionOf(int n, Path segment) throws IOException {
    try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
      Iterator<FileChannelRecordBatch> batches = records.batches().iterator();
      for (int i = 0; i < n; i++) {
        batches.next();
      }
      return batches.next().position();
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

  /**
   * Batches that the walk over compressed Snappy takes and leaves: records with a large header, and
   * large records. The topic has only what was sent with an allowed codec.
   */
  private static void checkCodecs(BrokerProcess broker, KafkaProducer<byte[], byte[]> lz4)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> snappy = producer(broker, "snappy", FLUSHED)) {
      for (int i = 0; i < SNAPPY_BATCHES; i++) {
        assertCodecRefused(send(snappy, records("traced", 100, HEADER_BYTES, i)), "traced");
        assertCodecRefused(send(snappy, records("archive", LARGE_VALUE_BYTES, 0, i)), "archive");
      }
    }
    assertTrue(accepted(send(lz4, records("archive", LARGE_VALUE_BYTES, 0, 1))));
    assertTrue(accepted(send(lz4, records("traced", 100, HEADER_BYTES, 1))));
    assertEquals(RECORDS, endOffset(broker, "archive"));
    assertEquals(RECORDS, endOffset(broker, "traced"));
    checkHeaderTexts(lz4);
  }

  private static void assertCodecRefused(List<@Nullable Throwable> answers, String topic) {
    String text =
        "Batch for " + topic + "-0 is refused: the topic does not allow codec id 2 (snappy)";
    for (Throwable answer : answers) {
      InvalidRecordException why = assertInstanceOf(InvalidRecordException.class, answer);
      assertEquals(text, why.getMessage());
    }
  }

  private static void checkHeaderTexts(KafkaProducer<byte[], byte[]> lz4) throws Exception {
    List<@Nullable Throwable> answers = send(lz4, records("traced", 100, 0, 1));
    InvalidRecordException missing = assertInstanceOf(InvalidRecordException.class, answers.get(0));
    assertEquals(
        "the record lacks required header \"traceparent\" of the topic", missing.getMessage());
    List<ProducerRecord<byte[], byte[]>> debugged = records("traced", 100, HEADER_BYTES, 1);
    debugged.get(1).headers().add("debug", KEY);
    InvalidRecordException forbidden =
        assertInstanceOf(InvalidRecordException.class, send(lz4, debugged).get(1));
    assertEquals("the record has forbidden header \"debug\" of the topic", forbidden.getMessage());
  }

  private static List<ProducerRecord<byte[], byte[]>> records(
      String topic, int valueBytes, int headerBytes, int seed) {
    Random random = new Random(seed);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, 0, KEY, letters(random, valueBytes));
      if (headerBytes > 0) {
        record.headers().add("traceparent", letters(random, headerBytes));
      }
      records.add(record);
    }
    return records;
  }

  /** Returns letters, which Snappy compresses a little. */
  private static byte[] letters(Random random, int size) {
    byte[] letters = new byte[size];
    for (int i = 0; i < size; i++) {
      letters[i] = (byte) (i % 16 < 8 ? 'a' : 'a' + random.nextInt(26));
    }
    return letters;
  }

  private static long endOffset(BrokerProcess broker, String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = broker.clients().admin()) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
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
      Await.until(
          60,
          () -> beans.dropIn().getPolicyError().isEmpty(),
          () -> beans.dropIn().getPolicyError());
      assertFalse(accepted(send(producer, "orders-eu", confluent(9))));
    }
  }
}
