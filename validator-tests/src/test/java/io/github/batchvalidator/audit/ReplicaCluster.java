// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;

/** Three stock brokers, each of which is also a controller. */
final class ReplicaCluster implements AutoCloseable {
  private static final int BROKERS = 3;
  private static final long SECONDS = 120;
  private static final List<String> OPTIONS =
      List.of("-Xmx256m", "-Xms256m", "-XX:TieredStopAtLevel=1", "-Xlog:disable");

  /** What makes checkpoints, compactions, deletions and the end of a broker show soon. */
  private static final Map<String, String> SETTINGS = new HashMap<>();

  static {
    SETTINGS.put("min.insync.replicas", "2");
    SETTINGS.put("offsets.topic.num.partitions", "1");
    SETTINGS.put("transaction.state.log.replication.factor", "3");
    SETTINGS.put("transaction.state.log.min.isr", "2");
    SETTINGS.put("broker.session.timeout.ms", "2000");
    SETTINGS.put("broker.heartbeat.interval.ms", "250");
    SETTINGS.put("replica.high.watermark.checkpoint.interval.ms", "300");
    SETTINGS.put("log.flush.start.offset.checkpoint.interval.ms", "300");
    SETTINGS.put("log.cleaner.backoff.ms", "300");
    SETTINGS.put("log.retention.check.interval.ms", "300");
    SETTINGS.put("log.initial.task.delay.ms", "300");
    SETTINGS.put("num.network.threads", "2");
    SETTINGS.put("num.io.threads", "4");
  }

  private final List<ClusterMember> members;
  private final Path folder;
  private final String line;
  private final List<BrokerProcess> brokers = new ArrayList<>();

  private ReplicaCluster(Path folder, String line) throws IOException {
    this.folder = folder;
    this.line = line;
    members = ClusterMember.cluster(BROKERS);
  }

  /** Starts the brokers of a line. */
  static ReplicaCluster start(Path folder, String line) throws Exception {
    ReplicaCluster cluster = new ReplicaCluster(folder, line);
    for (int i = 0; i < BROKERS; i++) {
      cluster.brokers.add(cluster.launch(i));
    }
    for (BrokerProcess each : cluster.brokers) {
      each.awaitStart();
    }
    return cluster;
  }

  private BrokerProcess launch(int index) throws Exception {
    return BrokerProcess.launch(
        members.get(index),
        folder.resolve("node-" + index),
        BrokerBuild.KAFKA.classPath(Lines.jars(), line),
        OPTIONS,
        SETTINGS);
  }

  BrokerClients clients() {
    return new BrokerClients(
        members.stream().map(ClusterMember::address).collect(Collectors.joining(",")));
  }

  /** Returns the log directories. */
  List<Path> directories() {
    return brokers.stream().map(BrokerProcess::data).toList();
  }

  /** Kills a broker, and starts it again. */
  void restart(int index) throws Exception {
    brokers.get(index).close();
    BrokerProcess next = launch(index);
    brokers.set(index, next);
    next.awaitStart();
  }

  /** Has two brokers replicate a partition, and returns when they do. */
  void move(String topic, int one, int other) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<Integer> nodes = List.of(members.get(one).nodeId(), members.get(other).nodeId());
    try (Admin admin = clients().admin()) {
      admin
          .alterPartitionReassignments(
              Map.of(partition, Optional.of(new NewPartitionReassignment(nodes))))
          .all()
          .get();
      Await.until(
          SECONDS,
          () -> admin.listPartitionReassignments().reassignments().get().isEmpty(),
          () -> "not moved");
    }
  }

  @Override
  public void close() {
    brokers.forEach(BrokerProcess::close);
  }
}
