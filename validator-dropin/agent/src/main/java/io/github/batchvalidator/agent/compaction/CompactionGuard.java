// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.jspecify.annotations.Nullable;

/**
 * The guard of one thread of Kafka's cleaner. Checks each segment once per round: the dirty ones
 * before the offset map is built, and the others before their group is rewritten. Not thread-safe.
 */
final class CompactionGuard {
  private final boolean enforce;
  private final CompactionReport report;
  private final Set<LogSegment> checked = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable SegmentCheck check;
  private @Nullable Object partition;

  CompactionGuard(boolean enforce, CompactionReport report) {
    this.enforce = enforce;
    this.report = report;
  }

  /**
   * Kafka's callbacks while it reads. They throw if the cleaning was aborted or the broker stops.
   *
   * @param checkDone is called with the partition
   * @param throttler is called with the number of read bytes
   */
  record Callbacks(Consumer<Object> checkDone, Throttler throttler) {}

  /** Checks a dirty segment, before it is added to the offset map. */
  void dirty(Callbacks callbacks, Object topicPartition, LogSegment segment) {
    if (topicPartition != partition || !checked.add(segment)) {
      checked.clear(); // a new round
      checked.add(segment);
      partition = topicPartition;
    }
    check(callbacks, topicPartition, segment);
  }

  /** Checks the segments of a group that this round has not checked. */
  void group(Callbacks callbacks, Object topicPartition, List<LogSegment> segments) {
    for (LogSegment segment : segments) {
      if (topicPartition != partition || !checked.remove(segment)) {
        check(callbacks, topicPartition, segment);
      }
    }
  }

  private void check(Callbacks callbacks, Object topicPartition, LogSegment segment) {
    long start = System.nanoTime();
    SegmentCheck current = open(topicPartition, segment);
    if (current == null) {
      return;
    }
    try {
      int known = 0;
      while (!current.isDone()) {
        callbacks.checkDone.accept(topicPartition);
        int read = advance(current, topicPartition, segment);
        if (read < 0) {
          return;
        }
        callbacks.throttler.maybeThrottle(read);
        for (; known < current.faults().size(); known++) {
          damaged(current.faults().get(known), topicPartition, segment);
        }
      }
      report.checked(segment.size(), current, System.nanoTime() - start);
    } finally {
      close(current);
    }
  }

  private void damaged(Fault fault, Object topicPartition, LogSegment segment) {
    String line = file(segment) + ", " + fault;
    report.damaged(String.valueOf(topicPartition), segment.baseOffset(), fault, line, enforce);
    if (enforce) {
      throw new DamagedSegmentException("compaction would hide or drop damaged records: " + line);
    }
  }

  /** Returns a check of the segment, or null if the file cannot be opened. */
  private @Nullable SegmentCheck open(Object topicPartition, LogSegment segment) {
    try {
      SegmentCheck current = check;
      if (current == null) {
        current = new SegmentCheck();
        check = current;
      }
      current.open(file(segment), segment.size());
      return current;
    } catch (Throwable e) { // Kafka then compacts as without the guard
      report.unchecked(topicPartition, e);
      check = null;
      return null;
    }
  }

  /** Returns the number of bytes read, or -1 if the check failed. */
  private int advance(SegmentCheck current, Object topicPartition, LogSegment segment) {
    try {
      return current.advance();
    } catch (Throwable e) { // Kafka then compacts as without the guard
      report.unchecked(topicPartition + ", " + segment, e);
      check = null;
      return -1;
    }
  }

  private static void close(SegmentCheck current) {
    try {
      current.close();
    } catch (IOException | RuntimeException e) {
      return; // the file was only read
    }
  }

  private static Path file(LogSegment segment) {
    String name = String.format(Locale.ROOT, "%020d.log", segment.baseOffset());
    return segment.offsetIndexFile().toPath().resolveSibling(name);
  }
}
