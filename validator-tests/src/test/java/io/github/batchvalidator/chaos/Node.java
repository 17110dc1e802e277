// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A broker of the cluster, over all of its lives. */
final class Node implements AutoCloseable {
  /**
   * For a quick start, and with a heap that is resident from the start, so that other memory shows
   * if it grows.
   */
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx256m",
          "-Xms256m",
          "-XX:+AlwaysPreTouch",
          "-XX:TieredStopAtLevel=1",
          "-Xlog:disable");

  private static final String OUR_FRAME = "\tat io.github.batchvalidator.";
  private static final String OUR_REJECTIONS = OUR_FRAME + "dropin.refusal.Refusals.";
  private static final String NO_SPACE = "No space left on device";
  private static final long END_SECONDS = 120;
  private static final String ANY_FRAME = "\tat ";

  /** What lets a cluster notice a killed broker within seconds, and takes few threads. */
  private static final Map<String, String> SETTINGS = new HashMap<>();

  static {
    SETTINGS.put("min.insync.replicas", "2");
    SETTINGS.put("transaction.state.log.replication.factor", "3");
    SETTINGS.put("transaction.state.log.min.isr", "2");
    SETTINGS.put("transaction.state.log.num.partitions", "3");
    SETTINGS.put("broker.session.timeout.ms", "2000");
    SETTINGS.put("broker.heartbeat.interval.ms", "250");
    SETTINGS.put("leader.imbalance.check.interval.seconds", "5");
    SETTINGS.put("replica.fetch.wait.max.ms", "200");
    SETTINGS.put("replica.fetch.backoff.ms", "100");
    SETTINGS.put("num.network.threads", "2");
    SETTINGS.put("num.io.threads", "4");
  }

  private final ClusterMember member;
  private final Path folder;
  private final List<String> faults = new ArrayList<>();
  private final @Nullable StoredParts stored;
  private BrokerBuild build;
  private @Nullable Disk disk;
  private @Nullable Handles firstHandles;
  private volatile @Nullable BrokerProcess broker;

  /**
   * Creates a broker that does not run.
   *
   * @param folder for its data, which exists
   * @param stored what guards stored batches, or null
   */
  Node(ClusterMember member, Path folder, BrokerBuild build, @Nullable StoredParts stored) {
    this.stored = stored;
    this.member = member;
    this.folder = folder;
    this.build = build;
  }

  /** Puts its data on a small disk, before it starts for the first time. */
  void mountDisk() throws IOException {
    disk = Disk.mount(data());
  }

  /** Returns the small disk, which is there. */
  Disk disk() {
    return Objects.requireNonNull(disk);
  }

  /** Starts it; {@link BrokerProcess#awaitStart} tells when it serves. */
  void launch(String line, Path policy) throws IOException, InterruptedException {
    firstHandles = null;
    BrokerJars jars = Lines.jars();
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(build.options(jars));
    if (build.hasDropIn()) {
      options.add("-Dbatchvalidator.policy=" + policy);
    }
    Map<String, String> settings = new HashMap<>(SETTINGS);
    if (stored != null) {
      options.addAll(StoredParts.options());
      settings.putAll(stored.settings());
    }
    broker = BrokerProcess.launch(member, folder, build.classPath(jars, line), options, settings);
  }

  /** Has the next start be that of the next step of an upgrade. */
  void upgrade() {
    build = build.next();
  }

  BrokerBuild build() {
    return build;
  }

  int id() {
    return member.nodeId();
  }

  String address() {
    return member.address();
  }

  boolean isAlive() {
    BrokerProcess last = broker;
    return last != null && last.isAlive();
  }

  /** Returns the process, or null while it is down. */
  @Nullable BrokerProcess process() {
    return broker;
  }

  /** Returns the process, which is there. */
  BrokerProcess broker() {
    return Objects.requireNonNull(broker);
  }

  /** Compares what it holds with what it held at the first call of this life. */
  void compareHandles() throws IOException {
    Handles now = Handles.of(broker());
    if (firstHandles == null) {
      firstHandles = now;
    }
    now.growthSince(firstHandles).forEach(grown -> faults.add(this + ": " + grown));
  }

  /** Returns when it has ended because it could not write. */
  void awaitEndByFullDisk() throws IOException, InterruptedException {
    Await.until(END_SECONDS, () -> !isAlive(), () -> this + " lives on with a full disk");
    String log = broker().log();
    if (!log.contains(NO_SPACE)) {
      throw new IllegalStateException(this + " ended for another reason:\n" + log);
    }
  }

  /** Ends it with SIGKILL, or collects the log of one that has ended. */
  void kill() throws IOException {
    BrokerProcess last = broker;
    if (last != null) {
      last.close();
      String log = last.log();
      faults.addAll(exceptionsOfOurs(log));
      if (stored != null) {
        stored.read(log);
      }
      broker = null;
    }
  }

  /** Ends it, and gives back its disk; the data is out of reach then. */
  @Override
  public void close() throws IOException {
    kill();
    if (disk != null) {
      disk.close();
      disk = null;
    }
  }

  /** Returns the exceptions in a log that our code threw, other than to reject a batch. */
  private static List<String> exceptionsOfOurs(String log) {
    List<String> found = new ArrayList<>();
    String before = "";
    Iterator<String> lines = log.lines().iterator();
    while (lines.hasNext()) {
      String line = lines.next();
      if (line.startsWith(OUR_FRAME)
          && !line.startsWith(OUR_REJECTIONS)
          && !before.startsWith(ANY_FRAME)) {
        found.add(before + " " + line.strip());
      }
      before = line;
    }
    return found;
  }

  /** Returns what was found while it ran, and in the logs of ended lives. */
  List<String> faults() {
    return faults;
  }

  Path data() {
    return folder.resolve("data");
  }

  @Override
  public String toString() {
    return "node " + id() + " (" + build + ")";
  }
}
