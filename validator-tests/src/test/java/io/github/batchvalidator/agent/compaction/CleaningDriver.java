// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jpountz.lz4.LZ4Factory;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogCleaner;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Compacts a partition as a broker does. Loaded by the class loader of a Kafka line, stock or
 * changed, and called by reflection.
 */
public final class CleaningDriver {
  private static final long NOW = 1_700_000_000_000L;
  private static final int BUFFER = 1 << 20;

  /** The memory of the map of offsets. Kafka clears all of it each time. */
  private static final int SMALL_MAP = 1 << 18;

  private static final int MEASURED_MAP = 1 << 23;
  private static final int WAIT_MS = 120_000;

  private CleaningDriver() {}

  private static UnifiedLog open(File directory, LogDirFailureChannel failures) throws Exception {
    Map<String, Object> config =
        Map.of(
            "cleanup.policy",
            "compact",
            "delete.retention.ms",
            1000L,
            "min.cleanable.dirty.ratio",
            0.0);
    return UnifiedLog.create(
        directory,
        new LogConfig(config),
        0,
        0,
        new Immediately(),
        new BrokerTopicStats(),
        Time.SYSTEM,
        900_000,
        new ProducerStateManagerConfig(86_400_000, false),
        600_000,
        failures,
        true,
        Optional.empty());
  }

  /**
   * Compacts all segments but the last one, in the calling thread. Offsets before a number count as
   * compacted before.
   *
   * @return {@code compacted}, or what was thrown
   */
  public static String clean(File directory, long firstDirty, int stopAfter) throws Exception {
    UnifiedLog log = open(directory, new LogDirFailureChannel(1));
    AtomicInteger calls = new AtomicInteger();
    Consumer<TopicPartition> checkDone =
        partition -> {
          if (calls.incrementAndGet() == stopAfter) {
            throw new IllegalStateException("cleaning was aborted");
          }
        };
    try {
      clean(log, firstDirty, SMALL_MAP, checkDone);
      return "compacted";
    } catch (Throwable e) { // Kafka's thread survives exceptions only
      return e.getClass().getName() + ": " + e.getMessage();
    } finally {
      log.close();
    }
  }

  private static void clean(
      UnifiedLog log, long firstDirty, int mapBytes, Consumer<TopicPartition> checkDone)
      throws Exception {
    SkimpyOffsetMap map = new SkimpyOffsetMap(mapBytes);
    Cleaner cleaner =
        new Cleaner(0, map, BUFFER, BUFFER, 0.75, throttler(), Time.SYSTEM, checkDone);
    long end = log.activeSegment().baseOffset();
    cleaner.doClean(new LogToClean(log, firstDirty, end, false), NOW);
  }

  private static Throttler throttler() {
    return new Throttler(1e12, 1000, "t", "entries", Time.SYSTEM);
  }

  /** Compacts a partition and returns the nanoseconds of CPU of the thread. */
  public static long cost(File directory) throws Exception {
    // As in a broker: outside of the JVM's own class path, lz4-java prefers its Java code.
    LZ4Factory.nativeInstance();
    UnifiedLog log = open(directory, new LogDirFailureChannel(1));
    try {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long start = threads.getCurrentThreadCpuTime();
      clean(log, 0, MEASURED_MAP, partition -> {});
      return threads.getCurrentThreadCpuTime() - start;
    } finally {
      log.close();
    }
  }

  /**
   * Compacts partitions with a thread of Kafka's cleaner, until it is done or has given up.
   *
   * @return the uncleanable partitions, and the number of threads that have ended
   */
  public static String cleanByThread(File root, int partitions) throws Exception {
    LogDirFailureChannel failures = new LogDirFailureChannel(1);
    ConcurrentMap<TopicPartition, UnifiedLog> logs = new ConcurrentHashMap<>();
    for (int i = 0; i < partitions; i++) {
      UnifiedLog log = open(new File(root, "t-" + i), failures);
      log.updateHighWatermark(log.logEndOffset());
      logs.put(log.topicPartition(), log);
    }
    CleanerConfig config =
        new CleanerConfig(1, 4L * BUFFER, 0.9, 2 * BUFFER, BUFFER, 1e12, 10, true);
    LogCleaner cleaner = new LogCleaner(config, List.of(root), logs, failures, Time.SYSTEM);
    cleaner.startup();
    try {
      long deadline = System.currentTimeMillis() + WAIT_MS;
      while (cleaner.deadThreadCount() == 0
          && !isDone(cleaner, root, partitions)
          && System.currentTimeMillis() < deadline) {
        Thread.sleep(20);
      }
      return "uncleanable "
          + cleaner.cleanerManager().uncleanablePartitions(root.getPath())
          + ", compacted "
          + compacted(cleaner)
          + ", dead threads "
          + cleaner.deadThreadCount();
    } finally {
      cleaner.shutdown();
      logs.values().forEach(UnifiedLog::close);
    }
  }

  private static boolean isDone(LogCleaner cleaner, File root, int partitions) {
    int given = cleaner.cleanerManager().uncleanablePartitions(root.getPath()).size();
    return given + compacted(cleaner).size() >= partitions;
  }

  /** Returns the partitions that were compacted up to an offset. */
  private static Set<TopicPartition> compacted(LogCleaner cleaner) {
    Set<TopicPartition> compacted = new HashSet<>();
    cleaner
        .cleanerManager()
        .allCleanerCheckpoints()
        .forEach(
            (partition, offset) -> {
              if (offset > 0) {
                compacted.add(partition);
              }
            });
    return compacted;
  }

  /** Gives the guard a segment without files, as tests of Kafka do, and returns its counts. */
  public static String checkWithoutFiles() {
    TopicPartition partition = new TopicPartition("t", 0);
    LogSegment segment = new LogSegment(null, null, null, null, 0, 0, 0, Time.SYSTEM);
    new CompactionGuard(true, CompactionHooks.report())
        .group(new CompactionGuard.Callbacks(any -> {}, throttler()), partition, List.of(segment));
    return counts();
  }

  /** Returns the counts of the guard. */
  public static String counts() {
    CompactionReport report = CompactionHooks.report();
    return report.segments()
        + " segments, unchecked "
        + report.unchecked()
        + ", damaged "
        + report.damaged()
        + ", counted "
        + report.counted();
  }

  /** Runs each task at once, so that what is to be deleted is gone. */
  static final class Immediately implements Scheduler {
    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
      if (periodMs <= 0) {
        task.run();
      }
      return (ScheduledFuture<?>)
          Proxy.newProxyInstance(
              Immediately.class.getClassLoader(),
              new Class<?>[] {ScheduledFuture.class},
              (future, method, arguments) -> method.getName().startsWith("cancel") ? true : null);
    }

    @Override
    public void resizeThreadPool(int size) {}
  }
}
