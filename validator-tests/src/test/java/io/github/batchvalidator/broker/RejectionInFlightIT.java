// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's idempotent producer and a stock broker, after a rejection and the loss of an answer
 * (KAFKA-14034). {@code docs/policies.md} warns of it.
 *
 * <p>Each test sends two batches. A compacted topic rejects the first if it has no key, as a policy
 * does. The broker stores the second, but its answer is lost, so that the producer sends it again.
 */
@Tag("broker")
class RejectionInFlightIT {
  private static final String LINE = "4.3";
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = {'v'};
  private static final String FIRST_SEGMENT = "00000000000000000000.log";
  private static final long WAIT_SECONDS = 30;

  private static @Nullable AnswerGate openGate;
  private static @Nullable BrokerProcess startedBroker;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    openGate = new AnswerGate();
    startedBroker =
        Lines.jars()
            .start(
                BrokerBuild.KAFKA,
                LINE,
                folder,
                List.of(),
                Map.of("advertised.listeners", "PLAINTEXT://127.0.0.1:" + gate().port()));
    gate().connectTo(broker().port());
  }

  @AfterAll
  static void end() throws IOException {
    if (startedBroker != null) {
      startedBroker.close();
    }
    gate().close();
  }

  private static AnswerGate gate() {
    return Objects.requireNonNull(openGate);
  }

  private static BrokerProcess broker() {
    return Objects.requireNonNull(startedBroker);
  }

  private static void create(String topic) throws Exception {
    Map<String, String> config = Map.of("cleanup.policy", "compact");
    broker().clients().createTopics(List.of(BrokerClients.topic(topic).configs(config)));
    try (Admin admin = broker().clients().admin()) { // answered by a leader only
      admin.listOffsets(Map.of(new TopicPartition(topic, 0), OffsetSpec.latest())).all().get();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return broker()
        .clients()
        .producer(Map.of("enable.idempotence", true, "linger.ms", 0, "enable.metrics.push", false));
  }

  private static Future<RecordMetadata> send(
      KafkaProducer<byte[], byte[]> producer, String topic, byte @Nullable [] key) {
    return producer.send(new ProducerRecord<>(topic, 0, key, VALUE));
  }

  private static void assertRejected(Future<RecordMetadata> answer) {
    ExecutionException error =
        assertThrows(ExecutionException.class, () -> answer.get(WAIT_SECONDS, TimeUnit.SECONDS));
    assertInstanceOf(InvalidRecordException.class, error.getCause());
  }

  /** Returns epoch and first sequence number of the stored batches, all of one record. */
  private static List<String> stored(String topic) throws IOException {
    List<String> batches = new ArrayList<>();
    Path segment = broker().partition(topic).resolve(FIRST_SEGMENT);
    try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
      for (FileChannelRecordBatch each : records.batches()) {
        assertEquals(1, each.countOrNull());
        batches.add("epoch " + each.producerEpoch() + ", sequence " + each.baseSequence());
      }
    }
    return batches;
  }

  @Test
  void storesABatchTwiceThatWasInFlightWithARejectedOne() throws Exception {
    String topic = "rejected";
    create(topic);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      gate().hold();
      Future<RecordMetadata> bad = send(producer, topic, null);
      AnswerGate.Answer rejection = gate().awaitAnswer();
      Future<RecordMetadata> good = send(producer, topic, KEY);
      AnswerGate.Answer lost = gate().awaitAnswer();
      rejection.deliver();
      lost.lose();
      assertRejected(bad);
      assertEquals(1, good.get(WAIT_SECONDS, TimeUnit.SECONDS).offset());
    }
    assertEquals(List.of("epoch 0, sequence 1", "epoch 1, sequence 0"), stored(topic));
  }

  @Test
  void storesABatchOnceThatIsSentAfterTheRejection() throws Exception {
    String topic = "rejected-earlier";
    create(topic);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      assertRejected(send(producer, topic, null));
      gate().hold();
      Future<RecordMetadata> good = send(producer, topic, KEY);
      gate().awaitAnswer().lose();
      assertEquals(0, good.get(WAIT_SECONDS, TimeUnit.SECONDS).offset());
    }
    assertEquals(List.of("epoch 1, sequence 0"), stored(topic));
  }

  @Test
  void storesABatchOnceThatWasInFlightWithAnAcceptedOne() throws Exception {
    String topic = "accepted";
    create(topic);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      gate().hold();
      Future<RecordMetadata> first = send(producer, topic, KEY);
      AnswerGate.Answer acceptance = gate().awaitAnswer();
      Future<RecordMetadata> second = send(producer, topic, KEY);
      AnswerGate.Answer lost = gate().awaitAnswer();
      acceptance.deliver();
      lost.lose();
      assertEquals(0, first.get(WAIT_SECONDS, TimeUnit.SECONDS).offset());
      assertEquals(1, second.get(WAIT_SECONDS, TimeUnit.SECONDS).offset());
    }
    assertEquals(List.of("epoch 0, sequence 0", "epoch 0, sequence 1"), stored(topic));
  }
}
