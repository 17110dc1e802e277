// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what batches hold that Kafka lets pass: how an operator learns what level strict would
 * refuse before it does. A line of the log for the first batch of each kind, then one a minute at
 * the most. Safe for all threads; a batch without findings costs nothing.
 */
public final class FindingCounts {
  private static final Logger LOG = LoggerFactory.getLogger(FindingCounts.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final Map<Reason, Kind> kinds = new EnumMap<>(Reason.class);

  FindingCounts() {
    this(System::nanoTime);
  }

  FindingCounts(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    long sometimeAgo = nanoTime.getAsLong() - PAUSE_NANOS;
    for (Reason reason : Reason.values()) {
      if (reason.level() == Level.STRICT) {
        kinds.put(reason, new Kind(new LongAdder(), new AtomicLong(sometimeAgo)));
      }
    }
  }

  /** What is known of a reason. */
  private record Kind(LongAdder batches, AtomicLong loggedAt) {}

  /**
   * {@return in how many batches a reason was found since the broker started}
   *
   * @param reason of level strict; 0 for any other
   */
  public long batches(Reason reason) {
    Kind kind = kinds.get(reason);
    return kind == null ? 0 : kind.batches().sum();
  }

  /** Counts the findings of one batch; returns how many lines were logged. */
  int add(Findings findings, TopicPartition partition) {
    int logged = 0;
    for (int i = 0; i < findings.count(); i++) {
      Kind kind = kinds.get(findings.reason(i));
      if (kind != null) {
        kind.batches().increment();
        logged += log(kind, findings, i, partition);
      }
    }
    return logged;
  }

  private int log(Kind kind, Findings findings, int i, TopicPartition partition) {
    long now = nanoTime.getAsLong();
    long last = kind.loggedAt().get();
    if (now - last < PAUSE_NANOS || !kind.loggedAt().compareAndSet(last, now)) {
      return 0;
    }
    LOG.warn(
        "A batch for {} has what level strict refuses, the {}. one of this kind: {}: {}",
        partition,
        kind.batches().sum(),
        findings.reason(i),
        findings.describe(i));
    return 1;
  }
}
