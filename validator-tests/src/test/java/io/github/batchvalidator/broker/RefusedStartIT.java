// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.BrokerProcess;
import io.github.batchvalidator.bench.broker.ClusterMember;
import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Live brokers with a typing error in a setting of ours, or with the jar of another line. */
@Tag("broker")
class RefusedStartIT {
  private static final String WRONG = "-Dbatchvalidator.levle=strict";
  private static final String ERROR = "refuses its settings: Unknown setting batchvalidator.levle";
  private static final String TOPIC = "orders";
  private static final int RECORDS = 100;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4.3, false", "4.4, false", "4.4, true"})
  void aBrokerDoesNotStartWithAWrongSetting(String line, boolean withAgent) throws Exception {
    List<String> options = new ArrayList<>(List.of(WRONG));
    if (withAgent) {
      options.add(BuiltJars.agent());
    }
    Path home = Files.createDirectory(folder.resolve("broker"));
    String log = failedStart(home, BuiltJars.ours(line), options);
    assertTrue(log.contains(ERROR), log);
    assertTrue(log.contains("known are [batchvalidator.config, "), log);
  }

  @Test
  void aBrokerDoesNotStartWithTheJarOfAnotherLine() throws Exception {
    Path home = Files.createDirectory(folder.resolve("broker"));
    List<Path> path = new ArrayList<>(List.of(Lines.jar("4.3")));
    path.addAll(BuiltJars.stock("4.4"));
    String log = failedStart(home, path, List.of());
    assertTrue(log.contains("use validator-dropin-kafka-4.4 instead"), log);
  }

  private static String failedStart(Path home, List<Path> path, List<String> options) {
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> BrokerProcess.start(home, path, options));
    String log = String.valueOf(thrown.getMessage());
    assertFalse(log.contains("Kafka Server started"), log);
    return log;
  }

  /**
   * The start is not stopped here, because a folder before the jar has an interface of that name
   * without the check. The producer's default settings are those of idempotence.
   */
  @Test
  void noRecordIsLostIfABrokerRunsUntilItIsRestarted() throws Exception {
    ClusterMember member = ClusterMember.cluster(1).get(0);
    Path home = Files.createDirectory(folder.resolve("broker"));
    Map<String, Object> config =
        Map.of("bootstrap.servers", "127.0.0.1:" + member.port(), "linger.ms", 0);
    List<Path> unchecked = new ArrayList<>(List.of(folderWithoutCheck()));
    unchecked.addAll(BuiltJars.ours("4.3"));
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      try (BrokerProcess broker =
          BrokerProcess.launch(member, home, unchecked, List.of(WRONG), Map.of())) {
        broker.awaitStart();
        createTopic(config);
        for (int i = 0; i < RECORDS; i++) {
          sent.add(producer.send(new ProducerRecord<>(TOPIC, 0, null, number(i))));
        }
        awaitRefusals(broker);
        assertTrue(sent.stream().noneMatch(Future::isDone), "the producer retries");
        broker.stop();
      }
      try (BrokerProcess broker =
          BrokerProcess.launch(member, home, BuiltJars.ours("4.3"), List.of(), Map.of())) {
        broker.awaitStart();
        for (Future<RecordMetadata> each : sent) {
          each.get(60, TimeUnit.SECONDS);
        }
        assertEquals(IntStream.range(0, RECORDS).boxed().toList(), stored(config));
      }
    }
  }

  private Path folderWithoutCheck() throws IOException {
    String name = "io/github/batchvalidator/dropin/StartCheck";
    ClassWriter writer = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    writer.visit(Opcodes.V17, access, name, null, "java/lang/Object", null);
    writer.visitEnd();
    Path root = folder.resolve("unchecked");
    Path file = root.resolve(name + ".class");
    Files.createDirectories(file.resolveSibling(""));
    Files.write(file, writer.toByteArray());
    return root;
  }

  private static byte[] number(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }

  private static void createTopic(Map<String, Object> config) throws Exception {
    try (Admin admin = Admin.create(config)) {
      NewTopic topic = new NewTopic(TOPIC, Optional.of(1), Optional.empty());
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  /** Waits until several attempts of the producer have failed. */
  private static void awaitRefusals(BrokerProcess broker) throws Exception {
    String wanted = "NotEnoughReplicasException: Batch Validator " + ERROR;
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (broker.log().split(wanted, -1).length < 5) {
      assertTrue(System.nanoTime() < deadline, broker.log());
      Thread.sleep(100);
    }
    assertTrue(broker.log().contains("Batch Validator for Kafka 4.3 " + ERROR), broker.log());
  }

  private static List<Integer> stored(Map<String, Object> config) {
    List<Integer> numbers = new ArrayList<>();
    Map<String, Object> consumed =
        Map.of("bootstrap.servers", String.valueOf(config.get("bootstrap.servers")));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(consumed, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(TOPIC, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      long deadline = System.nanoTime() + WAIT_NANOS;
      while (consumer.position(partition) < end && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          numbers.add(ByteBuffer.wrap(record.value()).getInt());
        }
      }
    }
    return numbers;
  }
}
