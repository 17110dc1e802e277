// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import io.github.batchvalidator.testkit.broker.SteadyProducer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that no honest client sends, to a live broker with our jar, and with the agent beside
 * it: each gets its error, the broker stays up, its heap flat, its log small, and a well-behaved
 * producer beside them is served.
 *
 * <p>The broker observes level strict, so that each request is also looked at that way.
 */
@Tag("broker")
class HostileProduceIT {
  private static final String APPEND_FAILED = "Error processing append operation";
  private static final String REFUSED = "org.apache.kafka.common.InvalidRecordException: ";
  private static final String OUT_OF_MEMORY = REFUSED + "The batch takes more memory";
  private static final String UNREADABLE = "org.apache.kafka.common.KafkaException: ";
  private static final String MADE_BY_US = "\tat io.github.batchvalidator.dropin.refusal.Refusals.";
  private static final String REFUSED_BEFORE = "Exception: The baseOffset of the record batch";
  private static final String FOUND = "Level strict would refuse a batch";
  private static final int MOST_ROUNDS = 20;

  /** Rounds that are compared with as many before: what one worker has grown by is not in each. */
  private static final int COMPARED_ROUNDS = 3;

  /** How far the live heap may grow meanwhile and count as flat. */
  private static final long FLAT_BYTES = 2 << 20;

  /**
   * How far it may grow until then: two connections keep two workers busy at once, each of which
   * keeps up to 16 MiB, in arrays that G1 rounds up to its regions, and the broker grows itself. On
   * a busy machine both workers come to meet giant blocks, on a quiet one often only one does.
   */
  private static final long MOST_GROWTH = 48 << 20;

  /** The bound of the mean: the exceptions of most rejected batches have no stack trace. */
  private static final int MOST_LOG_BYTES = 2 << 10;

  /** The bound of a single batch: a stack trace with its cause. */
  private static final int MOST_LOG_BYTES_OF_ONE = 8 << 10;

  private static final String NODE = "1";
  private static final String LOGGER = "kafka.server.ReplicaManager";

  @TempDir private Path directory;

  /** Returns each line once, in turn with the agent and without. */
  static List<Arguments> brokers() {
    return alternating(true);
  }

  /** Returns the pairs that {@link #brokers()} lacks. */
  static List<Arguments> otherPairs() {
    return alternating(false);
  }

  private static List<Arguments> alternating(boolean firstHasAgent) {
    List<String> lines = Lines.brokers();
    return IntStream.range(0, lines.size())
        .mapToObj(i -> Arguments.of(lines.get(i), (i % 2 == 0) == firstHasAgent))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("brokers")
  void eachIsAnsweredAndTheBrokerGoesOn(String line, boolean hasAgent) throws Exception {
    sendAll(line, hasAgent);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("otherPairs")
  void eachIsAnsweredByOtherBrokers(String line, boolean hasAgent) throws Exception {
    sendAll(line, hasAgent);
  }

  private void sendAll(String line, boolean hasAgent) throws Exception {
    List<HostileBatch> damaged = HostileBatch.damaged(line);
    List<HostileBatch> greedy = HostileBatch.greedy(line);
    List<HostileBatch> forged = HostileBatch.forged(line);
    List<String> options = List.of("-Dbatchvalidator.observe=true");
    try (BrokerProcess broker =
            Lines.jars().start(BrokerBuild.ours(hasAgent), line, directory, options);
        BrokerBeans heap = new BrokerBeans(broker)) {
      HostileTopics.create(broker);
      SteadyProducer beside = new SteadyProducer(broker, HostileTopics.BESIDE);
      HostileRounds rounds = new HostileRounds(broker);
      List<Long> live = new ArrayList<>();
      try (beside;
          RawClient client = new RawClient(broker)) {
        observe(broker, client, heap);
        Set<String> keys = keys(heap.dropIn());
        rounds.send(client, forged);
        live.add(heap.liveBytes());
        do {
          int sentBefore = beside.sent();
          rounds.send(client, damaged);
          rounds.send(client, greedy);
          live.add(heap.liveBytes());
          assertTrue(beside.sent() > sentBefore, "the other producer was not served");
        } while (live.size() <= MOST_ROUNDS && !isFlat(live));
        assertEquals(keys, keys(heap.dropIn()));
        checkThatKafkaCanBeQuiet(broker, client);
      }
      assertEquals(List.of(), beside.failures());
      assertTrue(broker.isAlive());
      assertEquals(List.of(), crashes(broker));
      long logged =
          failures(broker) - broker.log().lines().filter(HostileProduceIT::isEarly).count();
      assertTrue(logged > 0 && logged <= heap.dropIn().getRefused(), logged + " in the log");
      assertTrue(isFlat(live), live.toString());
      assertTrue(live.get(live.size() - 1) - live.get(0) < MOST_GROWTH, live.toString());
      assertTrue(
          rounds.logBytesPerRejected() < MOST_LOG_BYTES, () -> "" + rounds.logBytesPerRejected());
      assertTrue(rounds.mostLogBytes() < MOST_LOG_BYTES_OF_ONE, () -> "" + rounds.mostLogBytes());
      assertEquals(hasAgent, heap.dropIn().getOffLockStamped() > 0);
      Files.writeString(
          HostileTopics.report("hostile-" + line + (hasAgent ? "-agent" : "")),
          rounds + "; live heap after each round, bytes: " + live + "\n");
    }
  }

  private static boolean isFlat(List<Long> live) {
    int end = live.size();
    int middle = end - COMPARED_ROUNDS;
    int from = middle - COMPARED_ROUNDS;
    return from > 0
        && Collections.max(live.subList(middle, end))
            < Collections.max(live.subList(from, middle)) + FLAT_BYTES;
  }

  /** What is valid has no finding; what level strict would refuse has one, and is stored. */
  private static void observe(BrokerProcess broker, RawClient client, BrokerBeans heap)
      throws Exception {
    assertFalse(broker.log().contains(FOUND));
    byte[] batch = HostileBatch.damaged(Codec.LZ4, Damage.ATTRIBUTES_SET);
    assertEquals(Errors.NONE.code(), client.produce(HostileTopics.KEPT, batch).errorCode());
    assertTrue(broker.log().contains(", number 1 of this kind: "), broker.log());
    assertTrue(broker.log().contains("RECORD_ATTRIBUTES_RESERVED"), broker.log());
    assertEquals(1, heap.dropIn().getFoundByReason().get("RECORD_ATTRIBUTES_RESERVED"));
    assertEquals(0, heap.dropIn().getRefused());
  }

  /** Returns all keys of counts, except causes of fallbacks, which appear when they first occur. */
  private static Set<String> keys(DropInMXBean dropIn) throws ReflectiveOperationException {
    Set<String> keys = new TreeSet<>();
    for (Method attribute : DropInMXBean.class.getMethods()) {
      if (attribute.getReturnType() == Map.class
          && !attribute.getName().equals("getOffLockFallbacks")) {
        for (Object key : ((Map<?, ?>) attribute.invoke(dropIn)).keySet()) {
          keys.add(attribute.getName() + " " + key);
        }
      }
    }
    assertFalse(keys.isEmpty());
    return keys;
  }

  /** Checks that an operator can turn off Kafka's line per rejected batch. */
  private static void checkThatKafkaCanBeQuiet(BrokerProcess broker, RawClient client)
      throws Exception {
    byte[] batch = HostileBatch.damaged(Codec.NONE, Damage.KEY_BEYOND_RECORD);
    long before = failures(broker);
    assertNotEquals(Errors.NONE.code(), client.produce(HostileTopics.KEPT, batch).errorCode());
    assertEquals(before + 1, failures(broker));
    ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, NODE);
    AlterConfigOp off =
        new AlterConfigOp(new ConfigEntry(LOGGER, "FATAL"), AlterConfigOp.OpType.SET);
    try (Admin admin = broker.clients().admin()) {
      admin.incrementalAlterConfigs(Map.of(loggers, List.of(off))).all().get();
    }
    assertNotEquals(Errors.NONE.code(), client.produce(HostileTopics.KEPT, batch).errorCode());
    assertEquals(before + 1, failures(broker));
  }

  /**
   * Returns the log lines of appends that crashed: neither our checks nor Kafka's refused them. Our
   * texts are Kafka's, so the first stack frame identifies a {@code KafkaException} of ours.
   */
  private static List<String> crashes(BrokerProcess broker) throws IOException {
    List<String> crashes = new ArrayList<>();
    Iterator<String> lines = broker.log().lines().iterator();
    while (lines.hasNext()) {
      if (lines.next().contains(APPEND_FAILED)) {
        String exception = lines.next();
        boolean refused =
            exception.startsWith(UNREADABLE)
                ? lines.next().startsWith(MADE_BY_US)
                : exception.startsWith(REFUSED) && !exception.startsWith(OUT_OF_MEMORY);
        if (!refused) {
          crashes.add(exception);
        }
      }
    }
    return crashes;
  }

  private static long failures(BrokerProcess broker) throws IOException {
    return broker.log().lines().filter(line -> line.contains(APPEND_FAILED)).count();
  }

  private static boolean isEarly(String line) {
    return line.contains(REFUSED_BEFORE);
  }
}
