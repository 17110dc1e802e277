// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.FailingLog;
import io.github.batchvalidator.internal.verdict.MutableFindings;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.watch.ValidationCounts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.helpers.NOPLogger;

/** How often findings of level strict are logged. */
class FindingLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final FindingLog log =
      new FindingLog(new ValidationCounts(), nanos::get, NOPLogger.NOP_LOGGER);
  private final MutableVerdict verdict = new MutableVerdict();
  private final MutableFindings findings = verdict.findings();

  @Test
  void logsTheFirstOfEachKindAndThenOneAMinute() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    assertEquals(1, log.log(findings, PARTITION));
    assertEquals(0, log.log(findings, PARTITION));
    findings.add(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    assertEquals(1, log.log(findings, PARTITION));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    assertEquals(0, log.log(findings, PARTITION));
    nanos.addAndGet(1);
    assertEquals(2, log.log(findings, PARTITION));
    assertEquals(0, log.log(findings, PARTITION));
  }

  @Test
  void whatKafkaRefusesIsNotLogged() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    verdict.refuse(Reason.RECORD_TRUNCATED, 61, 0, 0);
    log.judged(verdict, PARTITION);
    assertEquals(1, log.log(findings, PARTITION));
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsFailsNoAppend(Class<? extends Throwable> kind) {
    FailingLog failingLog = new FailingLog(kind);
    FindingLog failing = new FindingLog(new ValidationCounts(), nanos::get, failingLog.logger());
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    assertDoesNotThrow(() -> failing.judged(verdict, PARTITION));
    assertEquals(List.of("warn"), failingLog.called());
  }

  @Test
  void whatIsRefusedForItIsLogged() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    findings.enforce(verdict);
    log.judged(verdict, PARTITION);
    assertEquals(0, log.log(findings, PARTITION));
  }
}
