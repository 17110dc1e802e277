// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.compaction.CompactionGuard.Callbacks;
import io.github.batchvalidator.agent.stored.StoredSettings;
import io.github.batchvalidator.agent.stored.StoredSide;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

/**
 * The methods that changed code of Kafka's {@code Cleaner} calls. Safe for use by multiple threads.
 */
public final class CompactionHooks {
  private static final boolean ENFORCE =
      StoredSide.settings().compaction() == StoredSettings.Mode.ENFORCE;
  private static final ThreadLocal<CompactionGuard> GUARDS =
      ThreadLocal.withInitial(() -> new CompactionGuard(ENFORCE, CompactionReport.OF_JVM));

  private CompactionHooks() {}

  /**
   * Called before a dirty segment is added to the offset map.
   *
   * @param partition the {@code TopicPartition}
   * @param segment the {@code LogSegment}
   */
  public static void dirty(Object partition, Object segment) {
    GUARDS.get().dirty(partition, (LogSegment) segment);
  }

  /**
   * Called when bytes of a dirty segment are read, before they are added to the offset map.
   *
   * @param bytes the bytes, from the start of a batch on
   * @param partition the {@code TopicPartition}
   * @param segment the {@code LogSegment}
   * @param position the position of the bytes in the segment
   * @throws DamagedSegmentException if a batch is damaged and the guard enforces
   */
  public static void read(ByteBuffer bytes, Object partition, Object segment, int position) {
    GUARDS.get().read(partition, (LogSegment) segment, position, bytes);
  }

  /**
   * Called before a group of segments is rewritten.
   *
   * @param checkDone the {@code Cleaner}'s consumer of partitions
   * @param throttler the {@code Throttler}
   * @param log the {@code UnifiedLog}
   * @param segments the {@code LogSegment}s
   * @throws DamagedSegmentException if a segment is damaged and the guard enforces
   */
  public static void group(
      Consumer<Object> checkDone, Object throttler, Object log, List<LogSegment> segments) {
    Object partition = ((UnifiedLog) log).topicPartition();
    Callbacks callbacks = new Callbacks(checkDone, (Throttler) throttler);
    GUARDS.get().group(callbacks, partition, segments);
  }

  /** {@return the counts of this JVM} */
  static CompactionReport report() {
    return CompactionReport.OF_JVM;
  }
}
