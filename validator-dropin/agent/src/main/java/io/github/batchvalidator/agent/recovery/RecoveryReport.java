// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log, the counts and the flight recorder are told. Never throws. Thread-safe. */
final class RecoveryReport {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryReport.class);

  private final RecoveryCounts counts;
  private final RecoveryProgress progress;

  /**
   * Creates a report.
   *
   * @param counts the counts to add to
   * @param progress the progress of all segments
   */
  RecoveryReport(RecoveryCounts counts, RecoveryProgress progress) {
    this.counts = counts;
    this.progress = progress;
  }

  /** Reports a recovered segment. */
  void recovered(LogSegment segment, long bytes, long batches, long nanos) {
    quietly(
        () -> {
          File file = segment.offsetIndexFile();
          counts.of(partition(file)).add(bytes, batches, nanos);
          LOG.info(
              "Recovered segment {} of {}: {} bytes, {} batches in {} ms",
              segment.baseOffset(),
              partition(file),
              bytes,
              batches,
              TimeUnit.NANOSECONDS.toMillis(nanos));
          RecoveryEvents.recovered(partition(file), segment.baseOffset(), bytes, batches, nanos);
          progress.recovered(file, bytes);
        });
  }

  /** Reports a segment that Kafka's method recovers. */
  void left(LogSegment segment, Unsound reason, @Nullable Throwable thrown) {
    quietly(
        () -> {
          File file = segment.offsetIndexFile();
          counts.left(reason);
          LOG.info(
              "Left segment {} of {} to Kafka's recovery: {}",
              segment.baseOffset(),
              partition(file),
              reason,
              thrown);
          RecoveryEvents.left(partition(file), segment.baseOffset(), reason);
          progress.recovered(file, segment.size());
        });
  }

  /** Reports a failure of this project's own code. */
  void failed(String what, Throwable thrown) {
    quietly(() -> LOG.warn(what, thrown));
  }

  private static String partition(File file) {
    return file.getAbsoluteFile().getParentFile().getName();
  }

  private static void quietly(Runnable reporting) {
    try {
      reporting.run();
    } catch (RuntimeException | LinkageError e) {
      return; // a message or count must not stop the recovery
    }
  }
}
