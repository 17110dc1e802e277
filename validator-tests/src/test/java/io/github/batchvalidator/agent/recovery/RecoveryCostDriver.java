// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;

/**
 * Recovers one segment and measures the CPU and allocation of the thread. Loaded by the class
 * loader of a Kafka line, stock or changed, and called by reflection.
 */
public final class RecoveryCostDriver {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private RecoveryCostDriver() {}

  /** Returns nanoseconds of CPU, allocated bytes, and a checksum of the indexes. */
  public static long[] recover(File directory) throws Exception {
    for (File each : directory.listFiles()) {
      if (!each.getName().endsWith(".log") && !each.delete()) {
        throw new IllegalStateException(each + " is not deleted");
      }
    }
    LogSegment segment =
        LogSegment.open(directory, 0L, new LogConfig(Map.of()), Time.SYSTEM, true, 0, false, "");
    ProducerStateManager producers =
        new ProducerStateManager(
            PARTITION,
            directory,
            900_000,
            new ProducerStateManagerConfig(86_400_000, true),
            Time.SYSTEM);
    LeaderEpochFileCache epochs =
        new LeaderEpochFileCache(
            PARTITION,
            new LeaderEpochCheckpointFile(
                new File(directory, "leader-epoch-checkpoint"), new LogDirFailureChannel(1)),
            new RecoveryDriver.Immediately());
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long start = threads.getCurrentThreadCpuTime();
    int cut = segment.recover(producers, epochs);
    long nanos = threads.getCurrentThreadCpuTime() - start;
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    segment.close();
    if (cut != 0) {
      throw new IllegalStateException("cut " + cut);
    }
    return new long[] {nanos, allocated, checksum(directory), producers.activeProducers().size()};
  }

  private static long checksum(File directory) throws Exception {
    CRC32C crc = new CRC32C();
    for (String suffix : new String[] {".index", ".timeindex"}) {
      File index = new File(directory, CrashedPartition.name(0, suffix));
      crc.update(Files.readAllBytes(index.toPath()));
    }
    return crc.getValue();
  }
}
