// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.tiered.TieredMXBean;
import io.github.batchvalidator.tiered.TieredPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The parts that guard stored batches: recovery and compaction by the agent, and the wrapper of
 * uploads.
 */
final class StoredParts {
  private static final String RECOVERED = "Recovered segment ";
  private static final String LEFT = "Left segment ";

  /** Lines that no run may log, because no batch is damaged and no part may fail. */
  private static final List<String> FAULTS =
      List.of(
          "leaves stored batches to Kafka",
          "leaves recovery to Kafka",
          "is stopped, the segment is not rewritten",
          "Cannot check a segment",
          "Cannot keep what Kafka cuts",
          " is damaged and ",
          " cannot be audited and ");

  private final Path storage;
  private final List<String> faults = new ArrayList<>();
  private long recovered;
  private long left;
  private long checked;

  /** Creates the parts of a cluster whose brokers upload to a folder. */
  StoredParts(Path storage) {
    this.storage = storage;
  }

  /** Returns the options of the agent. */
  static List<String> options() {
    return List.of(
        "-Dbatchvalidator.stored.recovery=enforce",
        "-Dbatchvalidator.stored.keep=enforce",
        "-Dbatchvalidator.stored.compaction=enforce");
  }

  /** Returns the settings of a broker. */
  Map<String, String> settings() {
    Map<String, String> settings =
        TieredPlugin.settings(storage, "AuditingStorageManager", "enforce");
    settings.put("remote.log.storage.manager.class.path", TieredPlugin.classPath("4.3"));
    settings.put("rlmm.config.remote.log.metadata.topic.replication.factor", "3");
    settings.put("log.cleaner.backoff.ms", "500");
    // Kafka starts the threads of its pools one by one, which would look like a leak.
    for (String pool : List.of("copier", "expiration", "follower")) {
      settings.put("remote.log.manager." + pool + ".thread.pool.size", "2");
    }
    settings.put("remote.log.reader.threads", "2");
    return settings;
  }

  /** Reads the log of a life of a broker. */
  void read(String log) {
    for (String line : log.lines().toList()) {
      recovered += line.contains(RECOVERED) ? 1 : 0;
      left += line.contains(LEFT) ? 1 : 0;
      if (FAULTS.stream().anyMatch(line::contains)) {
        faults.add(line);
      }
    }
  }

  /** Compares the counts of a broker at the end of its last life. */
  void read(Node node, BrokerBeans beans) throws IOException, MalformedObjectNameException {
    CompactionMXBean compaction = bean(beans, CompactionMXBean.NAME, CompactionMXBean.class);
    checked += compaction.getCheckedSegments();
    if (compaction.getUncheckedSegments() > 0 || !compaction.getDamagedByPartition().isEmpty()) {
      faults.add(node + ": compaction found " + compaction.getDamagedByPartition());
    }
    TieredMXBean uploads = bean(beans, TieredMXBean.NAME, TieredMXBean.class);
    if (uploads.getRefused() > 0) {
      faults.add(node + ": refused uploads " + uploads.getFoundByReason());
    }
  }

  private static <T> T bean(BrokerBeans beans, String name, Class<T> type)
      throws IOException, MalformedObjectNameException {
    return JMX.newMXBeanProxy(beans.connection(), new ObjectName(name), type);
  }

  /** Returns what was wrong, in all lives of all brokers. */
  List<String> faults() throws IOException {
    List<String> all = new ArrayList<>(faults);
    if (recovered == 0) {
      all.add("no segment was recovered by the agent");
    }
    if (checked == 0) {
      all.add("no segment was checked before its compaction");
    }
    if (uploads() == 0) {
      all.add("no segment was uploaded");
    }
    return all;
  }

  private long uploads() throws IOException {
    try (Stream<Path> files = Files.walk(storage)) {
      return files.filter(each -> each.toString().endsWith(".log")).count();
    }
  }

  /** Returns what the parts did. */
  String text() throws IOException {
    return "recovered %d segments, left %d to Kafka, checked %d in the last lives, uploaded %d"
        .formatted(recovered, left, checked, uploads());
  }
}
