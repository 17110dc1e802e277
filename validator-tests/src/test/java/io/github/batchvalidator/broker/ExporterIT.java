// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.batchvalidator.docs.OperatorsKit;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live brokers with the Prometheus JMX exporter and the rules of {@code deploy}: every metric of
 * appends that the alerts and the dashboard use moves when batches arrive.
 */
@Tag("broker")
class ExporterIT {
  private static final String LINE = "4.3";
  private static final String RULES =
      """
      topics.orders.match=orders
      topics.orders.value.starts=json-object
      topics.watched.match=watched
      topics.watched.observe=true
      topics.watched.value.starts=json-object
      """;
  private static final String REBUILT = "rebuilt";

  /** Constant while a broker runs. */
  private static final String IN_USE = "batchvalidator_drop_in";

  @TempDir private Path folder;

  @Test
  void everyMetricOfAppendsMoves() throws Exception {
    Set<String> moved = new TreeSet<>(movedBy("enforcing"));
    moved.addAll(movedBy("shadow"));
    moved.add(IN_USE);
    assertEquals(OperatorsKit.appendMetrics(), moved);
  }

  /** Returns the names of the metrics that rise between two rounds of traffic. */
  private Set<String> movedBy(String name) throws Exception {
    boolean shadow = name.equals("shadow");
    BrokerBuild build = BrokerBuild.ours(!shadow);
    Path policy = Files.writeString(folder.resolve(name + ".properties"), RULES);
    Exporter exporter = Exporter.onFreePort();
    List<String> options =
        List.of(
            "-Dbatchvalidator.shadow=" + shadow,
            "-Dbatchvalidator.policy=" + policy,
            exporter.option());
    try (BrokerProcess broker = Lines.jars().start(build, LINE, folder.resolve(name), options);
        KafkaProducer<byte[], byte[]> producer = broker.clients().producer(Map.of());
        BrokerBeans beans = new BrokerBeans(broker)) {
      createTopics(broker);
      send(producer, !shadow);
      Map<String, Double> before = exporter.scrape();
      assertEquals(1, before.get(IN_USE + "{kafka_line=\"" + LINE + "\"}"), before::toString);
      assertEquals("", beans.dropIn().reloadPolicy());
      Files.writeString(policy, RULES + "topics.orders.nonsense=1\ntopics.orders.more=2\n");
      assertNotEquals("", beans.dropIn().reloadPolicy());
      send(producer, !shadow);
      return Exporter.risen(before, exporter.scrape());
    }
  }

  private static void createTopics(BrokerProcess broker) throws Exception {
    broker
        .clients()
        .createTopics(
            List.of(
                BrokerClients.topic("orders"),
                BrokerClients.topic("watched"),
                BrokerClients.topic(REBUILT).configs(Map.of("compression.type", "gzip"))));
  }

  /** Sends two good batches, one that breaks an observed rule, and one that breaks a rule. */
  private static void send(KafkaProducer<byte[], byte[]> producer, boolean enforced)
      throws Exception {
    byte[] good = "{}".getBytes(StandardCharsets.UTF_8);
    byte[] bad = "oops".getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>("orders", good)).get();
    producer.send(new ProducerRecord<>("orders", good)).get();
    producer.send(new ProducerRecord<>(REBUILT, good)).get();
    producer.send(new ProducerRecord<>("watched", bad)).get();
    boolean rejected = false;
    try {
      producer.send(new ProducerRecord<>("orders", bad)).get();
    } catch (ExecutionException e) {
      rejected = e.getCause() instanceof InvalidRecordException;
    }
    assertEquals(enforced, rejected);
  }
}
