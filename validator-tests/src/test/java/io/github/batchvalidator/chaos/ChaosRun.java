// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * One run: ends brokers of a cluster under load, then compares acknowledged with stored records.
 */
final class ChaosRun implements AutoCloseable {
  private static final long PROGRESS_SECONDS = 120;
  private static final int ROUNDS_PER_RELOAD = 3;

  /** How long the brokers are left alone under load before what they hold is compared. */
  private static final long SETTLE_MS = 3_000;

  private static final long COMPACTION_SECONDS = 90;

  private static final long STEADY_MS = 6_000;

  private final Plan plan;
  private final PolicyFile policy;
  private final Cluster cluster;
  private final Ending ending;
  private final TransactionCounts transactions = new TransactionCounts();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Writer> compacting = new ArrayList<>();
  private final HostileWriter hostile;
  private final List<String> faults = new ArrayList<>();
  private int kills;

  private ChaosRun(Plan plan, Path folder) throws IOException {
    this.plan = plan;
    policy = new PolicyFile(folder);
    cluster = new Cluster(plan, folder, policy.path());
    ending = Ending.of(plan);
    for (int i = 0; i < Topics.CODECS.size(); i++) {
      writers.add(new IdempotentWriter(writers.size(), cluster, plan.seed()));
    }
    for (int i = 0; i < Topics.CODECS.size(); i++) {
      writers.add(new TransactionalWriter(writers.size(), cluster, plan.seed(), transactions));
    }
    if (plan.guardsStored()) {
      for (int i = 0; i < Topics.CODECS.size(); i++) {
        compacting.add(new CompactedWriter(writers.size(), cluster, plan.seed()));
        writers.add(compacting.get(i));
      }
    }
    hostile = new HostileWriter(plan, cluster);
  }

  /** Runs a plan in an empty folder. */
  static ChaosResult of(Plan plan, Path folder) throws Exception {
    try (ChaosRun run = new ChaosRun(plan, folder)) {
      return run.run();
    }
  }

  private ChaosResult run() throws Exception {
    cluster.start();
    cluster.createTopics();
    cluster.awaitInSync();
    long started = System.nanoTime();
    writers.forEach(Writer::start);
    hostile.start();
    awaitProgress();
    compareHandles();
    for (int round = 1; kills < plan.kills(); round++) {
      if (round % ROUNDS_PER_RELOAD == 0) {
        reload();
      }
      kills += ending.end(cluster.nodes());
      cluster.start();
      awaitProgress();
      compareHandles();
    }
    stayAlive();
    endLoad();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
    return judge(seconds);
  }

  /** Returns when each writer has been acknowledged another record. */
  private void awaitProgress() throws InterruptedException {
    for (Writer each : writers) {
      int before = each.acknowledged();
      Await.until(
          PROGRESS_SECONDS,
          () -> each.acknowledged() > before || each.failure() != null,
          () -> "a writer is not served: " + each.sent().size());
      requireAlive(each);
    }
  }

  private static void requireAlive(Writer writer) {
    if (writer.failure() != null) {
      throw new IllegalStateException("a writer ended", writer.failure());
    }
  }

  private void compareHandles() throws IOException {
    for (Node each : cluster.nodes()) {
      each.compareHandles();
    }
  }

  /** Has brokers refuse a policy file, and take the next one, under load. */
  private void reload() throws Exception {
    for (Node each : cluster.nodes()) {
      if (each.build().hasDropIn()) {
        try (BrokerBeans beans = new BrokerBeans(each.broker())) {
          if (beans.hasDropIn()) {
            reload(each, beans.dropIn());
          }
        }
      }
    }
  }

  private void reload(Node node, DropInMXBean bean) throws IOException {
    policy.rewrite(false);
    String error = bean.reloadPolicy();
    policy.rewrite(true);
    String none = bean.reloadPolicy();
    if (error.isEmpty() || !none.isEmpty()) {
      faults.add(node + ": reloads answered '" + error + "', then '" + none + "'");
    }
  }

  /** Compares what the brokers hold at the begin and at the end of some seconds under load. */
  private void stayAlive() throws Exception {
    cluster.awaitInSync();
    Thread.sleep(SETTLE_MS);
    Map<Node, Vitals> before = new HashMap<>();
    for (Node each : cluster.nodes()) {
      before.put(each, Vitals.of(each.broker()));
    }
    Thread.sleep(STEADY_MS);
    for (Node each : cluster.nodes()) {
      Vitals then = Objects.requireNonNull(before.get(each));
      Vitals.of(each.broker()).growthSince(then).forEach(grown -> faults.add(each + ": " + grown));
    }
  }

  private void endLoad() throws Exception {
    hostile.end();
    writers.forEach(Writer::stop);
    for (Writer each : writers) {
      each.end();
      requireAlive(each);
    }
    cluster.awaitInSync();
    requireAtWork();
  }

  /** Tells whether the brokers ran what they should have. */
  private void requireAtWork() throws Exception {
    long rejected = 0;
    long stamped = 0;
    boolean agents = false;
    for (Node each : cluster.nodes()) {
      if (each.build().hasDropIn()) {
        agents |= each.build() == BrokerBuild.DROP_IN_AGENT;
        try (BrokerBeans beans = new BrokerBeans(each.broker())) {
          if (beans.hasDropIn()) {
            DropInMXBean counts = beans.dropIn();
            rejected += counts.getRefused();
            stamped += counts.getOffLockStamped();
            if (!counts.getPolicyError().isEmpty()) {
              faults.add(each + ": " + counts.getPolicyError());
            }
          }
        }
      }
    }
    boolean allReject = plan.ours() == Plan.BROKERS && plan.build().hasDropIn();
    if (allReject && plan.isUniform() && rejected == 0) {
      faults.add("no batch was rejected by the drop-in");
    }
    if (agents && stamped == 0) {
      faults.add("no batch was stamped off the lock");
    }
  }

  private ChaosResult judge(long seconds) throws Exception {
    List<Writer> appending = new ArrayList<>(writers);
    appending.removeAll(compacting);
    List<Sent> sent = sent(appending);
    Readers readers = new Readers(cluster);
    faults.addAll(ChaosVerdict.faults(sent, readers.committed(Topics.partitions())));
    if (plan.guardsStored()) {
      judgeCompacted(readers);
    }
    List<TopicPartition> all = new ArrayList<>(Topics.partitions());
    all.add(Topics.hostile());
    Map<TopicPartition, Long> ends = readers.highWatermarks(all);
    cluster.kill();
    Replicas replicas = compareReplicas(ends);
    faults.addAll(hostile.faults(storedByHostile(ends)));
    StoredParts stored = cluster.stored();
    if (stored != null) {
      faults.addAll(stored.faults());
      System.out.println(stored.text());
    }
    for (Node each : cluster.nodes()) {
      faults.addAll(each.faults());
      Run check = Run.of(each.data().toString());
      if (check.exitCode() != 0) {
        faults.add(each + ": ./check ended with " + check.exitCode() + ": " + check.out());
      }
    }
    return new ChaosResult(
        plan,
        seconds,
        kills,
        policy.rewrites(),
        ChaosResult.byFate(sent),
        transactions,
        hostile.rejections(),
        replicas.batches(),
        replicas.bytes(),
        faults);
  }

  private static List<Sent> sent(List<Writer> writers) {
    return writers.stream().flatMap(each -> each.sent().stream()).toList();
  }

  /** Tells whether all compacted partitions are compacted, and have what they should have. */
  private void judgeCompacted(Readers readers) throws Exception {
    StoredParts stored = Objects.requireNonNull(cluster.stored());
    for (Node each : cluster.nodes()) {
      if (!Await.isMet(
          COMPACTION_SECONDS, () -> CompactedVerdict.uncompacted(each.data()).isEmpty())) {
        faults.add(each + " does not compact " + CompactedVerdict.uncompacted(each.data()));
      }
      try (BrokerBeans beans = new BrokerBeans(each.broker())) {
        stored.read(each, beans);
      }
    }
    List<Sent> sent = sent(compacting);
    Map<TopicPartition, List<Stored>> read = readers.committed(Topics.compacted());
    faults.addAll(CompactedVerdict.faults(sent, read));
    int left = read.values().stream().mapToInt(List::size).sum();
    System.out.println("Compaction left " + left + " of " + sent.size() + " records");
  }

  private Replicas compareReplicas(Map<TopicPartition, Long> ends) throws IOException {
    Replicas replicas = new Replicas();
    for (Map.Entry<TopicPartition, Long> each : ends.entrySet()) {
      replicas.compare(
          cluster.nodes().stream().map(node -> folder(node, each.getKey())).toList(),
          each.getValue());
    }
    faults.addAll(replicas.faults());
    return replicas;
  }

  private static Path folder(Node node, TopicPartition partition) {
    return node.data().resolve(partition.topic() + "-" + partition.partition());
  }

  private List<ByteBuffer> storedByHostile(Map<TopicPartition, Long> ends) throws IOException {
    TopicPartition partition = Topics.hostile();
    return Replicas.batches(
        folder(cluster.nodes().get(0), partition), Objects.requireNonNull(ends.get(partition)));
  }

  @Override
  public void close() throws IOException {
    writers.forEach(Writer::stop);
    cluster.close();
  }
}
