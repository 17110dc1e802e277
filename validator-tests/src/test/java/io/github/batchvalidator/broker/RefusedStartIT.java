// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
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

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4.3, false", "4.4, false", "4.4, true"})
  void aBrokerDoesNotStartWithAWrongSetting(String line, boolean withAgent) throws Exception {
    BrokerBuild build = BrokerBuild.ours(withAgent);
    String log =
        failure(() -> Lines.jars().start(build, line, folder.resolve("broker"), List.of(WRONG)));
    assertTrue(log.contains(ERROR), log);
    assertTrue(log.contains("known are [batchvalidator.config, "), log);
  }

  @Test
  void aBrokerDoesNotStartWithTheJarOfAnotherLine() throws Exception {
    List<Path> path = new ArrayList<>(List.of(Lines.jar("4.3")));
    path.addAll(Lines.jars().stock("4.4"));
    String log =
        failure(() -> BrokerProcess.start(folder.resolve("broker"), path, List.of(), Map.of()));
    assertTrue(log.contains("use validator-dropin-kafka-4.4 instead"), log);
  }

  private static String failure(Executable start) {
    IllegalStateException thrown = assertThrows(IllegalStateException.class, start);
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
    Path home = folder.resolve("broker");
    BrokerClients clients = new BrokerClients(member.address());
    List<Path> unchecked = new ArrayList<>(List.of(folderWithoutCheck()));
    unchecked.addAll(Lines.jars().withDropIn("4.3"));
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = clients.producer(Map.of("linger.ms", 0))) {
      try (BrokerProcess broker =
          BrokerProcess.launch(member, home, unchecked, List.of(WRONG), Map.of())) {
        broker.awaitStart();
        clients.createTopics(TOPIC);
        for (int i = 0; i < RECORDS; i++) {
          sent.add(producer.send(new ProducerRecord<>(TOPIC, 0, null, number(i))));
        }
        awaitRefusals(broker);
        assertTrue(sent.stream().noneMatch(Future::isDone), "the producer retries");
        broker.stop();
      }
      try (BrokerProcess broker =
          BrokerProcess.launch(member, home, Lines.jars().withDropIn("4.3"), List.of(), Map.of())) {
        broker.awaitStart();
        for (Future<RecordMetadata> each : sent) {
          each.get(60, TimeUnit.SECONDS);
        }
        List<Integer> stored =
            clients.read(TOPIC).stream()
                .map(each -> ByteBuffer.wrap(each.value()).getInt())
                .toList();
        assertEquals(IntStream.range(0, RECORDS).boxed().toList(), stored);
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

  /** Waits until several attempts of the producer have failed. */
  private static void awaitRefusals(BrokerProcess broker) throws Exception {
    String wanted = "NotEnoughReplicasException: Batch Validator " + ERROR;
    Await.until(60, () -> broker.log().split(wanted, -1).length >= 5, broker::log);
    assertTrue(broker.log().contains("Batch Validator for Kafka 4.3 " + ERROR), broker.log());
  }
}
