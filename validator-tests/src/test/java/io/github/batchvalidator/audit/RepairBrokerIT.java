// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testing.Folders;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A partition whose three copies are each damaged elsewhere is repaired, put in place as {@code
 * docs/stored-data.md} says, and served by a real cluster.
 */
@Tag("broker")
@ParameterizedClass
@MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
class RepairBrokerIT {
  private static final String TOPIC = "orders";
  private static final int COPIES = 3;
  private static final int TRANSACTIONS = 12;
  private static final int RECORDS = 60;
  private static final int VALUE_BYTES = 4000;
  private static final List<String> QUICK =
      List.of("-Xmx256m", "-Xms256m", "-XX:TieredStopAtLevel=1");

  private final String line;

  @TempDir private Path folder;

  private List<ClusterMember> members = List.of();

  RepairBrokerIT(String line) {
    this.line = line;
  }

  @Test
  void aRepairedPartitionIsServedAndReplicated() throws Exception {
    members = members();
    Seen before;
    try (BrokerProcess leader = start(0);
        BrokerProcess follower = start(1)) {
      before = write(leader);
      leader.clients().awaitInSync(List.of(TOPIC));
      follower.stop();
      leader.stop();
    }
    Path original = partition(0);
    Path repaired = repair(original);
    replace(original, repaired);
    Folders.delete(partition(1));
    try (BrokerProcess leader = start(0)) {
      assertEquals(before, Seen.by(leader));
      try (BrokerProcess follower = start(1)) {
        leader.clients().awaitInSync(List.of(TOPIC));
        write(leader); // sequence numbers and epochs go on
        follower.stop();
      }
      leader.stop();
    }
    assertTrue(Arrays.equals(log(partition(0)), log(partition(1))), "the follower has another log");
    Run check = Run.of(partition(0).toString(), partition(1).toString());
    assertEquals(0, check.exitCode(), check.out() + check.err());
  }

  /** Returns a controller that is a broker, and a broker. */
  private static List<ClusterMember> members() throws IOException {
    List<ClusterMember> two = ClusterMember.cluster(2);
    String voter = two.get(0).voters().split(",", -1)[0];
    List<ClusterMember> members = new ArrayList<>();
    for (ClusterMember each : two) {
      members.add(new ClusterMember(each.nodeId(), each.port(), each.controllerPort(), voter));
    }
    return members;
  }

  private BrokerProcess start(int index) throws Exception {
    ClusterMember member = members.get(index);
    Map<String, String> settings = new HashMap<>();
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("replica.fetch.wait.max.ms", "100");
    settings.put("group.initial.rebalance.delay.ms", "0");
    if (index > 0) {
      settings.put("process.roles", "broker");
      settings.put("listeners", "PLAINTEXT://" + member.address());
    }
    BrokerJars jars = Lines.jars();
    BrokerProcess broker =
        BrokerProcess.launch(
            member,
            folder.resolve("node-" + member.nodeId()),
            BrokerBuild.KAFKA.classPath(jars, line),
            QUICK,
            settings);
    broker.awaitStart();
    return broker;
  }

  private Path partition(int index) {
    Path node = folder.resolve("node-" + members.get(index).nodeId());
    return node.resolve("data").resolve(TOPIC + "-0");
  }

  /** Writes transactions and other records, and returns what consumers read. */
  private static Seen write(BrokerProcess broker) throws Exception {
    BrokerClients clients = broker.clients();
    try (Admin admin = clients.admin()) {
      if (!admin.listTopics().names().get().contains(TOPIC)) {
        Map<String, String> small = Map.of("segment.bytes", "1048576");
        clients.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 2).configs(small)));
      }
    }
    try (KafkaProducer<byte[], byte[]> plain = clients.producer(Map.of("linger.ms", 2));
        KafkaProducer<byte[], byte[]> other =
            clients.producer(Map.of("transactional.id", "other", "compression.type", "lz4"))) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      other.initTransactions();
      for (int i = 0; i < TRANSACTIONS; i++) {
        other.beginTransaction();
        for (int j = 0; j < RECORDS; j++) {
          sent.add((j % 2 == 0 ? other : plain).send(record(i, j)));
        }
        other.flush(); // an abort drops what is not sent
        if (i % 3 == 0) {
          other.abortTransaction();
        } else {
          other.commitTransaction();
        }
      }
      plain.flush();
      assertTrue(sent.stream().allMatch(Future::isDone));
    }
    clients.awaitMarkers(List.of(new TopicPartition(TOPIC, 0)));
    return Seen.by(broker);
  }

  private static ProducerRecord<byte[], byte[]> record(int i, int j) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(i * 1000L + j).nextBytes(value);
    return new ProducerRecord<>(TOPIC, 0, null, value);
  }

  /** The offsets and values that consumers of all and of committed records read. */
  private record Seen(List<String> all, List<String> committed) {
    static Seen by(BrokerProcess broker) {
      Seen seen = new Seen(read(broker, "read_uncommitted"), read(broker, "read_committed"));
      assertFalse(seen.committed.isEmpty());
      assertTrue(seen.all.size() > seen.committed.size());
      return seen;
    }

    private static List<String> read(BrokerProcess broker, String level) {
      try (KafkaConsumer<byte[], byte[]> consumer =
          broker.clients().consumer(Map.of("isolation.level", level))) {
        return BrokerClients.read(consumer, TOPIC).stream().map(Seen::text).toList();
      }
    }

    private static String text(ConsumerRecord<byte[], byte[]> each) {
      return each.offset() + " " + Arrays.hashCode(each.value()) + " " + each.timestamp();
    }
  }

  /** Damages three copies in different places, and returns what is repaired from them. */
  private Path repair(Path original) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("repair", "--into", folder.resolve("new").toString()));
    for (int i = 0; i < COPIES; i++) {
      Path copy = Files.createDirectories(folder.resolve("copy-" + i)).resolve(TOPIC + "-0");
      StoredLog.copy(partition(Math.min(i, 1)), copy);
      damage(new StoredLog(copy), i);
      words.addAll(List.of("--from", copy.toString()));
    }
    Run run = Run.of(words.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.out() + run.err());
    Path repaired = folder.resolve("new").resolve(TOPIC + "-0");
    assertTrue(Arrays.equals(log(original), log(repaired)), "other batches");
    return repaired;
  }

  /** Damages each third batch in each segment, with the end of the log in one copy. */
  private static void damage(StoredLog log, int copy) throws Exception {
    for (int segment = 0; segment < log.bases().size(); segment++) {
      List<Batch> batches = log.batches(segment);
      for (int i = copy; i < batches.size(); i += COPIES) {
        int at = batches.get(i).position() + batches.get(i).bytes() - 2;
        log.edit(log.file(segment, ".log"), all -> all.put(at, (byte) ~all.get(at)));
      }
    }
    if (copy == 0) {
      log.deleteIndexes(0);
      log.deleteSnapshots();
    }
  }

  private static void replace(Path target, Path repaired) throws IOException {
    Folders.delete(target);
    StoredLog.copy(repaired, target);
  }

  /** Returns the bytes of all segments, because replicas may roll at different offsets. */
  private static byte[] log(Path partition) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    StoredLog log = new StoredLog(partition);
    for (int i = 0; i < log.bases().size(); i++) {
      all.writeBytes(Files.readAllBytes(log.file(i, ".log")));
    }
    return all.toByteArray();
  }
}
