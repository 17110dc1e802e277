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
 * A listener that logs what Kafka itself accepts: findings of level {@code STRICT}, and violations
 * of a topic's rules, whether they are observed or enforced. An operator learns the partition, the
 * section of the policy file, the record and the rule. Logs the first batch with each reason, then
 * at most one batch per minute and reason. Findings and refusals are limited separately, so that a
 * topic that enforces a rule does not hide another one that observes it.
 *
 * <p>The client is not known here. Safe for all threads. A batch without findings costs two checks.
 */
public final class FindingLog implements ValidationListener {
  private static final Logger LOG = LoggerFactory.getLogger(FindingLog.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counts counts;
  private final LongSupplier nanoTime;
  private final Logger log;

  /** The time of the last logged finding of each reason. */
  private final Map<Reason, AtomicLong> findingAt = new EnumMap<>(Reason.class);

  /** The time of the last logged refusal of each rule of topics. */
  private final Map<Reason, AtomicLong> refusalAt = new EnumMap<>(Reason.class);

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
        findingAt.put(reason, new AtomicLong(sometimeAgo));
        refusalAt.put(reason, new AtomicLong(sometimeAgo));
      }
    }
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    Reason reason = verdict.reason();
    try {
      if (reason != null && reason.isTopicRule()) {
        logRefusal(verdict, reason, where);
      } else if (verdict.findings().matterTo(verdict)) {
        logFindings(verdict, where);
      }
    } catch (RuntimeException | Error e) {
      // A log that fails must not change the answer to the batch.
    }
  }

  private void logRefusal(Verdict verdict, Reason reason, @Nullable Object where) {
    if (isDue(refusalAt.get(reason))) {
      String place = place(verdict, verdict.recordIndex());
      log(verdict, where, place, counts.refused(reason), reason, verdict.describe());
    }
  }

  private void logFindings(Verdict verdict, @Nullable Object where) {
    Findings findings = verdict.findings();
    for (int i = 0; i < findings.count(); i++) {
      Reason reason = findings.reason(i);
      if (isDue(findingAt.get(reason))) {
        String place = place(verdict, findings.recordIndex(i));
        log(verdict, where, place, counts.found(reason), reason, findings.describe(i));
      }
    }
  }

  private static String place(Verdict verdict, int recordIndex) {
    String section = "section " + verdict.section();
    return recordIndex == Verdict.NO_RECORD ? section : section + ", record " + recordIndex;
  }

  private void log(
      Verdict verdict,
      @Nullable Object where,
      String place,
      long number,
      Reason reason,
      String sentence) {
    log.warn(
        "{} {} a batch for {} ({}), number {} of this kind: {}: {}",
        reason.isTopicRule() ? "A rule of the topic" : "Level strict",
        verdict.reason() == null ? "would refuse" : "refuses",
        where,
        place,
        number,
        reason,
        sentence);
  }

  private boolean isDue(@Nullable AtomicLong at) {
    if (at == null) {
      return false;
    }
    long now = nanoTime.getAsLong();
    long last = at.get();
    return now - last >= PAUSE_NANOS && at.compareAndSet(last, now);
  }
}
