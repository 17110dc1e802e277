// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.ValidationListener;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener that logs the findings of level {@code STRICT}, so that an operator knows what that
 * level would refuse. Logs the first batch with each reason, then at most one batch per minute.
 *
 * <p>Safe for all threads. A batch without findings costs nothing.
 */
public final class FindingLog implements ValidationListener {
  private static final Logger LOG = LoggerFactory.getLogger(FindingLog.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counts counts;
  private final LongSupplier nanoTime;
  private final Logger log;

  /** The time of the last logged line of each reason. */
  private final Map<Reason, AtomicLong> loggedAt = new EnumMap<>(Reason.class);

  /**
   * Creates a listener.
   *
   * @param counts the counts of batches, notified before this listener
   */
  public FindingLog(Counts counts) {
    this(counts, System::nanoTime, LOG);
  }

  FindingLog(Counts counts, LongSupplier nanoTime, Logger log) {
    this.counts = counts;
    this.nanoTime = nanoTime;
    this.log = log;
    long sometimeAgo = nanoTime.getAsLong() - PAUSE_NANOS;
    for (Reason reason : Reason.values()) {
      if (reason.isFinding()) {
        loggedAt.put(reason, new AtomicLong(sometimeAgo));
      }
    }
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    Findings findings = verdict.findings();
    if (findings.matterTo(verdict)) {
      try {
        log(findings, where);
      } catch (RuntimeException | Error e) {
        // A log that fails must not change the answer to the batch.
      }
    }
  }

  /** {@return the number of logged lines} */
  int log(Findings findings, @Nullable Object where) {
    int logged = 0;
    for (int i = 0; i < findings.count(); i++) {
      Reason reason = findings.reason(i);
      AtomicLong at = loggedAt.get(reason);
      if (at != null && isDue(at)) {
        log.warn(
            "{} would refuse a batch for {}, number {} of this kind: {}: {}",
            reason.isTopicRule() ? "A rule of the topic" : "Level strict",
            where,
            counts.found(reason),
            reason,
            findings.describe(i));
        logged++;
      }
    }
    return logged;
  }

  private boolean isDue(AtomicLong at) {
    long now = nanoTime.getAsLong();
    long last = at.get();
    return now - last >= PAUSE_NANOS && at.compareAndSet(last, now);
  }
}
