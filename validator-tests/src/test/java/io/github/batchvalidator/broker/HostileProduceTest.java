// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.rule.Codec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that no honest client sends, to a live broker with our jar: each gets its error, the
 * broker stays up, its heap flat, and a well-behaved producer beside them is served.
 *
 * <p>The broker observes level strict, so that each request is also looked at that way.
 */
@Tag("broker")
class HostileProduceTest {
  private static final String KEPT = "kept";
  private static final String REBUILT = "rebuilt";
  private static final String BESIDE = "beside";
  private static final String REFUSED = "Batch for ";
  private static final String FOUND = "has what level strict refuses";
  private static final int ROUNDS = 3;
  private static final long MOST_GROWTH = 8 << 20;

  @TempDir private Path directory;

  static List<String> lines() {
    return BrokerJars.lines();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void eachIsAnsweredAndTheBrokerGoesOn(String line) throws Exception {
    List<HostileBatch> damaged = HostileBatch.damaged();
    List<HostileBatch> greedy = HostileBatch.greedy();
    try (BrokerProcess broker =
            BrokerProcess.start(
                directory, BrokerJars.ours(line), List.of("-Dbatchvalidator.observe=true"));
        BrokerHeap heap = new BrokerHeap(broker)) {
      createTopics(broker);
      SteadyProducer beside = new SteadyProducer(broker, BESIDE);
      List<Long> live = new ArrayList<>();
      try (beside;
          RawClient client = new RawClient(broker)) {
        waitFor(beside);
        assertFalse(broker.log().contains(FOUND), "nothing is found in valid batches");
        for (int round = 0; round < ROUNDS; round++) {
          send(client, damaged);
          send(client, greedy);
          live.add(heap.liveBytes());
        }
      }
      assertEquals(List.of(), beside.failures());
      assertTrue(broker.isAlive());
      assertTrue(live.get(ROUNDS - 1) - live.get(0) < MOST_GROWTH, live.toString());
      report(line, beside, ROUNDS * 2 * (damaged.size() + greedy.size()), live);
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void observingCountsWhatStrictWouldRefuse(String line) throws Exception {
    try (BrokerProcess broker =
        BrokerProcess.start(
            directory, BrokerJars.ours(line), List.of("-Dbatchvalidator.observe=true"))) {
      createTopics(broker);
      try (RawClient client = new RawClient(broker)) {
        byte[] batch = HostileBatch.damaged(Codec.LZ4, Damage.ATTRIBUTES_SET);
        assertEquals(Errors.NONE.code(), client.produce(KEPT, batch).errorCode());
      }
      assertTrue(broker.log().contains(FOUND + ", the 1. one of this kind"), broker.log());
      assertTrue(broker.log().contains("RECORD_ATTRIBUTES_RESERVED"), broker.log());
    }
  }

  private static void waitFor(SteadyProducer beside) throws InterruptedException {
    while (beside.sent() == 0 && beside.failures().isEmpty()) {
      Thread.sleep(10);
    }
  }

  private static void createTopics(BrokerProcess broker) throws Exception {
    Map<String, String> large = Map.of("max.message.bytes", "4000000");
    Map<String, String> other =
        Map.of("max.message.bytes", "4000000", "compression.type", "zstd");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin
          .createTopics(
              List.of(topic(KEPT).configs(large), topic(REBUILT).configs(other), topic(BESIDE)))
          .all()
          .get();
    }
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, Optional.of(1), Optional.empty());
  }

  private static void send(RawClient client, List<HostileBatch> batches) throws Exception {
    for (HostileBatch batch : batches) {
      check(batch.name(), batch.kept(), client.produce(KEPT, batch.bytes()));
      check(batch.name(), batch.rebuilt(), client.produce(REBUILT, batch.bytes()));
    }
  }

  private static void check(String name, Errors expected, PartitionProduceResponse answer) {
    assertEquals(
        expected, Errors.forCode(answer.errorCode()), () -> name + ": " + answer.errorMessage());
    if (expected != Errors.NONE) {
      assertTrue(answer.errorMessage().startsWith(REFUSED), name + ": " + answer.errorMessage());
    }
  }

  private static void report(String line, SteadyProducer beside, int requests, List<Long> live)
      throws Exception {
    Path report = Path.of(System.getProperty("build.directory"), "broker-" + line + ".txt");
    Files.writeString(
        report,
        String.format(
            "Kafka %s: %d hostile requests; beside them %d records, p99 %d us; live heap after"
                + " each round, bytes: %s%n",
            line, requests, beside.sent(), beside.p99Micros(), live));
  }
}
