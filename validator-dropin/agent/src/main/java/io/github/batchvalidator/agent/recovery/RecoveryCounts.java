// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** The counts of recovery, by partition. Thread-safe. */
final class RecoveryCounts {
  private final Map<String, Partition> partitions = new ConcurrentHashMap<>();
  private final Map<Unsound, LongAdder> left = new EnumMap<>(Unsound.class);

  RecoveryCounts() {
    for (Unsound each : Unsound.values()) {
      left.put(each, new LongAdder());
    }
  }

  /** The counts of one partition. */
  static final class Partition {
    private final LongAdder bytes = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder segments = new LongAdder();

    /** Adds a segment. */
    void add(long segmentBytes, long segmentBatches, long segmentNanos) {
      bytes.add(segmentBytes);
      batches.add(segmentBatches);
      nanos.add(segmentNanos);
      segments.increment();
    }

    long bytes() {
      return bytes.sum();
    }

    long batches() {
      return batches.sum();
    }

    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(nanos.sum());
    }

    long segments() {
      return segments.sum();
    }
  }

  /** {@return the counts of a partition, which is added} */
  Partition of(String partition) {
    return partitions.computeIfAbsent(partition, any -> new Partition());
  }

  /** Counts a segment that Kafka's method recovers. */
  void left(Unsound reason) {
    Objects.requireNonNull(left.get(reason)).increment();
  }

  /** {@return segments that Kafka's method recovered, by reason} */
  Map<String, Long> left() {
    Map<String, Long> byReason = new TreeMap<>();
    left.forEach((reason, count) -> byReason.put(reason.name(), count.sum()));
    return byReason;
  }

  /** {@return a count of each partition} */
  Map<String, Long> byPartition(ToLongFunction<Partition> count) {
    Map<String, Long> found = new TreeMap<>();
    partitions.forEach((name, each) -> found.put(name, count.applyAsLong(each)));
    return found;
  }

  /** {@return the sum of a count over all partitions} */
  long sum(ToLongFunction<Partition> count) {
    return partitions.values().stream().mapToLong(count).sum();
  }
}
