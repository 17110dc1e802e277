// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/** Three brokers, each of which is also a controller. */
final class Cluster implements AutoCloseable {
  private final Plan plan;
  private final Path policy;
  private final @Nullable StoredParts stored;
  private final List<Node> nodes = new ArrayList<>();

  /** Creates a cluster that is not started. */
  Cluster(Plan plan, Path folder, Path policy) throws IOException {
    this.plan = plan;
    this.policy = policy;
    stored =
        plan.guardsStored()
            ? new StoredParts(Files.createDirectory(folder.resolve("tiered")))
            : null;
    for (ClusterMember member : ClusterMember.cluster(Plan.BROKERS)) {
      Path ofNode = folder.resolve("node-" + member.nodeId());
      Files.createDirectories(ofNode);
      Node node = new Node(member, ofNode, plan.build(nodes.size()), stored);
      nodes.add(node);
      if (plan.scenario() == Scenario.DISK) {
        node.mountDisk();
      }
    }
  }

  /** Returns what guards stored batches, or null. */
  @Nullable StoredParts stored() {
    return stored;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Returns a factory of clients, which look for all brokers, whether these run or not. */
  BrokerClients clients() {
    return new BrokerClients(nodes.stream().map(Node::address).collect(Collectors.joining(",")));
  }

  /** Returns true if all brokers reject the same batches at all times. */
  boolean isUniform() {
    return plan.isUniform();
  }

  /** Starts those brokers that do not run, and returns when they serve. */
  void start() throws IOException, InterruptedException {
    List<Node> down = nodes.stream().filter(each -> !each.isAlive()).toList();
    for (Node each : down) {
      each.kill();
      each.launch(plan.line(), policy);
    }
    for (Node each : down) {
      each.broker().awaitStart();
    }
  }

  void createTopics() throws ExecutionException, InterruptedException {
    clients().createTopics(Topics.all(plan.guardsStored()));
  }

  /** Returns when each replica of the topics is in sync. */
  void awaitInSync() throws Exception {
    List<NewTopic> topics = Topics.all(plan.guardsStored());
    clients().awaitInSync(topics.stream().map(NewTopic::name).toList());
  }

  /** Ends all brokers, and keeps their data. */
  void kill() throws IOException {
    for (Node each : nodes) {
      each.kill();
    }
  }

  @Override
  public void close() throws IOException {
    for (Node each : nodes) {
      each.close();
    }
  }
}
