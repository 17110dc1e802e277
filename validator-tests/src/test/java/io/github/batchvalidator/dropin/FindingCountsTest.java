// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What is counted, and how often the log is told. */
class FindingCountsTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final FindingCounts counts = new FindingCounts(nanos::get);
  private final Findings findings = new Verdict().findings();

  @Test
  void countsBatchesPerReason() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 1, 9, 9, 8);
    counts.add(findings, PARTITION);
    findings.add(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    counts.add(findings, PARTITION);
    assertEquals(2, counts.batches(Reason.RECORD_LENGTH_UNTRUE));
    assertEquals(1, counts.batches(Reason.CODEC_BYTES_LEFT));
    assertEquals(0, counts.batches(Reason.BATCH_MAX_TIMESTAMP_WRONG));
    assertEquals(0, counts.batches(Reason.BATCH_CRC_MISMATCH));
  }

  @Test
  void logsTheFirstOfEachKindAndThenOneAMinute() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    assertEquals(1, counts.add(findings, PARTITION));
    assertEquals(0, counts.add(findings, PARTITION));
    findings.add(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    assertEquals(1, counts.add(findings, PARTITION));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    assertEquals(0, counts.add(findings, PARTITION));
    nanos.addAndGet(1);
    assertEquals(2, counts.add(findings, PARTITION));
    assertEquals(0, counts.add(findings, PARTITION));
    assertEquals(6, counts.batches(Reason.RECORD_LENGTH_UNTRUE));
  }
}
