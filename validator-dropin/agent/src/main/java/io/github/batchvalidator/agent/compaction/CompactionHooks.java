// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.compaction.CompactionGuard.Callbacks;
import io.github.batchvalidator.agent.stored.StoredSettings;
import io.github.batchvalidator.agent.stored.StoredSide;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

/**
 * The methods that changed code of Kafka's {@code Cleaner} calls. Safe for use by multiple threads.
 */
public final class CompactionHooks {
  private static final CompactionReport REPORT = new CompactionReport();
  private static final boolean ENFORCE = enforces();
  private static final ThreadLocal<CompactionGuard> GUARDS =
      ThreadLocal.withInitial(() -> new CompactionGuard(ENFORCE, REPORT));

  private CompactionHooks() {}

  private static boolean enforces() {
    CompactionBean.register(REPORT);
    return StoredSide.settings().compaction() == StoredSettings.Mode.ENFORCE;
  }

  /**
   * Called before a dirty segment is added to the offset map.
   *
   * @param checkDone the {@code Cleaner}'s consumer of partitions
   * @param throttler the {@code Throttler}
   * @param partition the {@code TopicPartition}
   * @param segment the {@code LogSegment}
   * @throws DamagedSegmentException if the segment is damaged and the guard enforces
   */
  public static void dirty(
      Consumer<Object> checkDone, Object throttler, Object partition, Object segment) {
    GUARDS.get().dirty(callbacks(checkDone, throttler), partition, (LogSegment) segment);
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
    GUARDS.get().group(callbacks(checkDone, throttler), partition, segments);
  }

  private static Callbacks callbacks(Consumer<Object> checkDone, Object throttler) {
    return new Callbacks(checkDone, (Throttler) throttler);
  }

  /** {@return the counts of this JVM} */
  static CompactionReport report() {
    return REPORT;
  }
}
