// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A live broker with damaged segments in compacted partitions: a flipped bit, a record with a false
 * length, and a stream that ends the thread of Kafka's cleaner.
 */
@Tag("broker")
class CompactionBrokerIT {
  private static final String LINE = "4.3";
  private static final String FIRST = "00000000000000000000.log";
  private static final String LAG = "min.compaction.lag.ms";
  private static final String DEAD_THREADS = "kafka.log:type=LogCleaner,name=DeadThreadCount";
  private static final Map<String, String> SETTINGS = Map.of("log.cleaner.backoff.ms", "100");
  private static final List<String> TOPICS = List.of("flipped", "untrue", "ending", "sound");
  private static final int RECORDS_AT = 61;
  private static final int SNAPPY_CHUNK_AT = 16;
  private static final int SECONDS = 60;
  private static final int NEVER_MS = 60_000;

  @TempDir private static Path directory;

  @BeforeAll
  static void writeSegments() throws Exception {
    fill("sound");
  }

  @Test
  void theGuardStopsTheDamagedPartitionsAndNothingElse() throws Exception {
    List<String> damaged = TOPICS.subList(0, 3);
    damage("ours", damaged);
    List<String> guard =
        List.of(Lines.jars().agent(), "-Dbatchvalidator.stored.compaction=enforce");
    try (BrokerProcess broker = start("ours", guard);
        BrokerBeans beans = new BrokerBeans(broker)) {
      Map<String, byte[]> before = new HashMap<>();
      for (String topic : damaged) {
        before.put(topic, Files.readAllBytes(first(broker, topic)));
      }
      byte[] sound = Files.readAllBytes(first(broker, "sound"));
      compact(broker.clients());
      Await.until(SECONDS, () -> !isEqual(first(broker, "sound"), sound), broker::log);
      MBeanServerConnection jmx = beans.connection();
      Await.until(SECONDS, () -> uncleanable(jmx) == damaged.size(), broker::log);
      for (String topic : damaged) {
        assertArrayEquals(before.get(topic), Files.readAllBytes(first(broker, topic)), topic);
        String line = "Compaction of " + topic + "-0 is stopped, the segment is not rewritten: ";
        assertTrue(broker.log().contains(line), topic);
      }
      CompactionMXBean counts =
          JMX.newMXBeanProxy(jmx, new ObjectName(CompactionMXBean.NAME), CompactionMXBean.class);
      assertEquals(
          Map.of("flipped-0", 1L, "untrue-0", 1L, "ending-0", 1L), counts.getDamagedByPartition());
      assertEquals(
          Map.of("BATCH_CRC_MISMATCH", 1L, "RECORD_LENGTH_MISMATCH", 1L, "CODEC_DATA_CORRUPT", 1L),
          counts.getDamagedByReason());
      assertEquals(0, counts.getUncheckedSegments());
      assertEquals(0, number(jmx, DEAD_THREADS));
    }
  }

  private static BrokerProcess start(String name, List<String> options) throws Exception {
    return Lines.jars().start(BrokerBuild.KAFKA, LINE, directory.resolve(name), options, SETTINGS);
  }

  private static Path first(BrokerProcess broker, String topic) {
    return broker.partition(topic).resolve(FIRST);
  }

  private static boolean isEqual(Path file, byte[] bytes) throws Exception {
    try {
      return Arrays.equals(bytes, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return true; // it is being replaced
    }
  }

  /** Writes three segments into each topic, which is not compacted yet, and stops the broker. */
  private static void fill(String name) throws Exception {
    try (BrokerProcess broker = start(name, List.of())) {
      List<NewTopic> topics = new ArrayList<>();
      Map<String, String> configs =
          Map.of(
              "cleanup.policy",
              "compact",
              LAG,
              "1000000000",
              "min.cleanable.dirty.ratio",
              "0.0",
              "segment.ms",
              "100");
      for (String topic : TOPICS) {
        topics.add(BrokerClients.topic(topic).configs(configs));
      }
      broker.clients().createTopics(topics);
      try (KafkaProducer<byte[], byte[]> producer =
          broker.clients().producer(Map.of("linger.ms", NEVER_MS))) {
        for (int i = 0; i < 3; i++) {
          List<Future<?>> sent = new ArrayList<>();
          for (NewTopic topic : topics) {
            sent.add(producer.send(record(topic.name(), "a", "old " + i)));
            sent.add(producer.send(record(topic.name(), "b" + i, "value")));
          }
          producer.flush(); // one batch for each topic
          for (Future<?> each : sent) {
            each.get();
          }
          Thread.sleep(300); // so that the next batch starts a segment
        }
      }
      broker.stop();
    }
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(
        topic, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** Copies the data of the broker that has stopped, and damages the first segment of topics. */
  private static void damage(String name, List<String> topics) throws Exception {
    Path source = directory.resolve("sound");
    try (Stream<Path> all = Files.walk(source)) {
      for (Path each : all.toList()) {
        Path copy = directory.resolve(name).resolve(source.relativize(each));
        Files.copy(each, copy);
        for (String topic : topics) {
          if (copy.endsWith(Path.of(topic + "-0", FIRST))) {
            Files.write(copy, damaged(topic, Files.readAllBytes(copy)));
          }
        }
      }
    }
  }

  private static byte[] damaged(String topic, byte[] segment) {
    switch (topic) {
      case "flipped" -> {
        int at = new String(segment, StandardCharsets.ISO_8859_1).indexOf("value");
        segment[at] ^= 1;
        return segment;
      }
      case "untrue" -> {
        segment[RECORDS_AT] += (byte) 2; // one byte more, in zigzag form
        return Batches.fixCrc(ByteBuffer.wrap(segment)).array();
      }
      default -> {
        byte[] plain =
            Batches.plainRecords(
                new SimpleRecord(Batches.nowMs(), new byte[] {'a'}, new byte[1]),
                new SimpleRecord(Batches.nowMs(), new byte[] {'b'}, new byte[1]));
        byte[] stream = Batches.compress(Codec.SNAPPY, plain);
        stream[SNAPPY_CHUNK_AT] ^= (byte) 0x80;
        return Batches.ofPayload(Codec.SNAPPY, 2, stream).array();
      }
    }
  }

  private static void compact(BrokerClients clients) throws Exception {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (String topic : TOPICS) {
      changes.put(
          new ConfigResource(ConfigResource.Type.TOPIC, topic),
          List.of(new AlterConfigOp(new ConfigEntry(LAG, "0"), AlterConfigOp.OpType.SET)));
    }
    try (Admin admin = clients.admin()) {
      admin.incrementalAlterConfigs(changes).all().get();
    }
  }

  private static long uncleanable(MBeanServerConnection jmx) throws Exception {
    String pattern = "kafka.log:type=LogCleanerManager,name=uncleanable-partitions-count,*";
    long sum = 0;
    for (ObjectName each : jmx.queryNames(new ObjectName(pattern), null)) {
      sum += ((Number) jmx.getAttribute(each, "Value")).longValue();
    }
    return sum;
  }

  private static long number(MBeanServerConnection jmx, String name) throws Exception {
    return ((Number) jmx.getAttribute(new ObjectName(name), "Value")).longValue();
  }
}
