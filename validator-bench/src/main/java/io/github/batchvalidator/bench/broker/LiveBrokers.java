// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.sun.tools.attach.AttachNotSupportedException;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import javax.management.MalformedObjectNameException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * One broker per contender. They stay up for a round, so that each is compiled and warm, and idle
 * while another has its slot.
 */
final class LiveBrokers implements AutoCloseable {
  /** The heap of a release's script, touched beforehand so that no contender pays for that. */
  static final List<String> OPTIONS = List.of("-Xmx1g", "-Xms1g", "-XX:+AlwaysPreTouch");

  private static final int MOST_BATCH_BYTES = 2 << 20;

  private static final long DELETED_SECONDS = 60;

  private final Map<BrokerBuild, Live> brokers = new EnumMap<>(BrokerBuild.class);

  /** What belongs to one broker. */
  private record Live(BrokerProcess process, BrokerBeans beans, Admin admin) {}

  /**
   * Starts them.
   *
   * @param more options of all their JVMs
   * @param folder a new one
   */
  static LiveBrokers start(
      List<BrokerBuild> contenders, BrokerJars jars, String line, List<String> more, Path folder)
      throws IOException, InterruptedException, AttachNotSupportedException {
    LiveBrokers brokers = new LiveBrokers();
    try {
      for (BrokerBuild each : contenders) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(more);
        BrokerProcess process = jars.start(each, line, folder.resolve(each.name()), options);
        Admin admin = process.clients().admin();
        BrokerBeans beans = new BrokerBeans(process);
        brokers.brokers.put(each, new Live(process, beans, admin));
        Usage.countLockWaits(beans.connection());
      }
      return brokers;
    } catch (IOException
        | InterruptedException
        | AttachNotSupportedException
        | RuntimeException e) {
      brokers.close();
      throw e;
    }
  }

  BrokerProcess process(BrokerBuild contender) {
    return live(contender).process();
  }

  private Live live(BrokerBuild contender) {
    Live live = brokers.get(contender);
    if (live == null) {
      throw new IllegalStateException("no broker of " + contender);
    }
    return live;
  }

  void createTopic(BrokerBuild contender, String topic, Cell cell)
      throws ExecutionException, InterruptedException {
    Map<String, String> config =
        Map.of(
            "compression.type",
            cell.topicCodec(),
            "max.message.bytes",
            String.valueOf(MOST_BATCH_BYTES),
            // The time of the records is fixed, and past what a topic keeps by default.
            "retention.ms",
            "-1");
    Optional<Integer> partitions = Optional.of(cell.crowd().partitions());
    NewTopic newTopic = new NewTopic(topic, partitions, Optional.empty()).configs(config);
    live(contender).admin().createTopics(List.of(newTopic)).all().get();
  }

  /** Deletes a topic and returns when its files are gone: that takes the broker's CPU, too. */
  void deleteTopic(BrokerBuild contender, String topic)
      throws IOException, ExecutionException, InterruptedException {
    live(contender).admin().deleteTopics(List.of(topic)).all().get();
    Await.until(
        DELETED_SECONDS,
        () -> !process(contender).stores(topic),
        () -> contender + " does not delete " + topic);
  }

  Usage usage(BrokerBuild contender) throws IOException {
    return Usage.of(live(contender).beans().connection());
  }

  /**
   * Compares each broker with its name, once it has taken produces.
   *
   * @param inPlace true if some of them were not rebuilt
   * @throws IllegalStateException if another class than the contender's took them, or in another
   *     way
   */
  void requireOwnValidators(boolean inPlace) throws IOException, MalformedObjectNameException {
    for (var each : brokers.entrySet()) {
      each.getKey().requireAtWork(each.getValue().process(), each.getValue().beans(), inPlace);
    }
  }

  @Override
  public void close() throws IOException {
    for (Live each : brokers.values()) {
      each.admin().close();
      try {
        each.beans().close();
      } finally {
        each.process().close();
      }
    }
  }
}
