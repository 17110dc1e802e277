// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogLoader;
import org.apache.kafka.storage.internals.log.LogSegments;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Loads a partition as a broker does. Loaded by the class loader of a Kafka line, stock or changed,
 * and called by reflection.
 */
public final class RecoveryDriver {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private RecoveryDriver() {}

  /** Returns what the broker knows of the partition afterwards, or what was thrown. */
  public static String load(
      File directory,
      boolean hadCleanShutdown,
      long recoveryPoint,
      long logStart,
      int indexInterval,
      int indexBytes) {
    try (LogSegments segments = new LogSegments(PARTITION)) {
      LogConfig config =
          new LogConfig(
              Map.of("index.interval.bytes", indexInterval, "segment.index.bytes", indexBytes));
      LogDirFailureChannel failures = new LogDirFailureChannel(1);
      Scheduler scheduler = new Immediately();
      LeaderEpochFileCache epochs =
          new LeaderEpochFileCache(
              PARTITION,
              new LeaderEpochCheckpointFile(LeaderEpochCheckpointFile.newFile(directory), failures),
              scheduler);
      ProducerStateManager producers =
          new ProducerStateManager(
              PARTITION,
              directory,
              900_000,
              new ProducerStateManagerConfig(86_400_000, true),
              Time.SYSTEM);
      Object offsets =
          new LogLoader(
                  directory,
                  PARTITION,
                  config,
                  scheduler,
                  Time.SYSTEM,
                  failures,
                  hadCleanShutdown,
                  segments,
                  logStart,
                  recoveryPoint,
                  epochs,
                  producers,
                  new ConcurrentHashMap<>(),
                  false)
              .load();
      return describe(String.valueOf(offsets), segments, epochs, producers);
    } catch (Exception | InternalError e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }

  private static String describe(
      String offsets,
      LogSegments segments,
      LeaderEpochFileCache epochs,
      ProducerStateManager producers)
      throws Exception {
    StringBuilder text = new StringBuilder(offsets);
    text.append('\n').append(epochs.epochEntries()).append('\n');
    for (var segment : segments.values()) {
      text.append(segment.baseOffset()).append(' ').append(segment.size()).append(' ');
      text.append(segment.maxTimestampSoFar()).append('\n');
    }
    Map<Long, ProducerStateEntry> sorted = new TreeMap<>(producers.activeProducers());
    sorted.values().forEach(each -> text.append(each).append('\n'));
    text.append(producers.firstUnstableOffset()).append(producers.mapEndOffset());
    return text.append(producers.hasLateTransaction(Long.MAX_VALUE / 2)).toString();
  }

  /** Returns the number of segments that the agent recovered so far, and of those it left. */
  public static long[] counts() {
    RecoveryCounts counts = RecoveryHooks.counts();
    long left = counts.left().values().stream().mapToLong(Long::longValue).sum();
    return new long[] {counts.sum(RecoveryCounts.Partition::segments), left};
  }

  /** Returns the number of segments that the agent left to Kafka, by reason. */
  public static String reasons() {
    return RecoveryHooks.counts().left().toString();
  }

  /** Runs each task at once, so that what is to be deleted is gone. */
  static final class Immediately implements Scheduler {
    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public @Nullable ScheduledFuture<?> schedule(
        String name, Runnable task, long delayMs, long periodMs) {
      task.run();
      return null;
    }

    @Override
    public void resizeThreadPool(int size) {}
  }
}
