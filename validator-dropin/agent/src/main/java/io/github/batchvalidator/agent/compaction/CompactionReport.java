// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reporter to the log, the counts and the flight recorder. Never throws. Thread-safe. */
final class CompactionReport {
  /** The report of this JVM. */
  static final CompactionReport OF_JVM = new CompactionReport();

  private final LongAdder segments = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder unchecked = new LongAdder();
  private final Map<String, LongAdder> counted = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> damaged = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> damagedByPartition = new ConcurrentHashMap<>();

  /** Reports checked bytes, and the batches and counts of the check that found no fault. */
  void checked(long size, BatchCheck check, long time) {
    bytes.add(size);
    batches.add(check.batches());
    nanos.add(time);
    check.counted().forEach((reason, count) -> add(counted, reason.name(), count));
  }

  /** Reports a segment that was checked to its end. */
  void segment() {
    segments.increment();
  }

  /** Reports a batch that Kafka would hide, drop or fail on. */
  void damaged(String partition, long segment, Fault fault, String line, boolean stopped) {
    quietly(
        () -> {
          add(damaged, fault.reason().name(), 1);
          add(damagedByPartition, partition, 1);
          if (stopped) {
            LazyLogger.LOG.error(
                "Compaction of {} is stopped, the segment is not rewritten: {}", partition, line);
          } else {
            LazyLogger.LOG.warn(
                "Compaction of {} goes on over a damaged batch: {}", partition, line);
          }
          CompactionEvents.damaged(partition, segment, fault, stopped);
        });
  }

  /** Reports a segment that could not be checked, which Kafka compacts all the same. */
  void unchecked(Object what, Throwable thrown) {
    quietly(
        () -> {
          unchecked.increment();
          LazyLogger.LOG.warn("Cannot check a segment of {} before its compaction", what, thrown);
        });
  }

  private static void add(Map<String, LongAdder> counts, String name, long count) {
    counts.computeIfAbsent(name, any -> new LongAdder()).add(count);
  }

  private static void quietly(Runnable reporting) {
    try {
      reporting.run();
    } catch (RuntimeException | LinkageError e) {
      return; // a message or count must not stop the compaction
    }
  }

  private static Map<String, Long> sums(Map<String, LongAdder> counts) {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((name, count) -> sums.put(name, count.sum()));
    return sums;
  }

  /** {@return checked segments} */
  long segments() {
    return segments.sum();
  }

  /** {@return checked bytes} */
  long bytes() {
    return bytes.sum();
  }

  /** {@return checked batches} */
  long batches() {
    return batches.sum();
  }

  /** {@return milliseconds spent in checks, with the waiting of the throttler} */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.sum());
  }

  /** {@return segments that could not be checked} */
  long unchecked() {
    return unchecked.sum();
  }

  /** {@return batches with faults that do not stop compaction, by reason} */
  Map<String, Long> counted() {
    return sums(counted);
  }

  /** {@return damaged batches, by reason} */
  Map<String, Long> damaged() {
    return sums(damaged);
  }

  /** {@return damaged batches, by partition} */
  Map<String, Long> damagedByPartition() {
    return sums(damagedByPartition);
  }

  /** A holder that creates the logger with the first message. The bean exists before logging. */
  private static final class LazyLogger {
    static final Logger LOG = LoggerFactory.getLogger(CompactionReport.class);
  }
}
