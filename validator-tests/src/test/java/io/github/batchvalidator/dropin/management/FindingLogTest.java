// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.FailingLog;
import io.github.batchvalidator.dropin.LoggedLines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.verdict.MutableFindings;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log lines about findings and violations of topic rules, and how often they appear. */
class FindingLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final List<String> logged = new ArrayList<>();
  private final ValidationCounts counts = new ValidationCounts();
  private final FindingLog log = new FindingLog(counts, nanos::get, LoggedLines.into(logged));
  private final MutableVerdict verdict = new MutableVerdict();
  private final MutableFindings findings = verdict.findings();

  /** Returns how many lines a batch adds to the log. */
  private int judge() {
    int before = logged.size();
    counts.judged(verdict, PARTITION);
    log.judged(verdict, PARTITION);
    return logged.size() - before;
  }

  @Test
  void logsTheFirstOfEachKindAndThenOneAMinute() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    verdict.refuse(Reason.RECORD_LENGTH_UNTRUE, 61, 9, 8);
    assertEquals(1, judge());
    assertEquals(0, judge());
    findings.add(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    assertEquals(1, judge());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    assertEquals(0, judge());
    nanos.addAndGet(1);
    assertEquals(2, judge());
    assertEquals(0, judge());
  }

  @Test
  void findingsOfABatchThatKafkaRefusesAreNotLogged() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    verdict.refuse(Reason.RECORD_TRUNCATED, 61, 0, 0);
    assertEquals(0, judge());
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
  void aRefusalByAFindingIsLogged() {
    findings.add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    findings.enforce(verdict);
    judge();
    assertEquals(
        List.of(
            "warn Level strict refuses a batch for orders-3 (section default, record 0), number 1"
                + " of this kind: RECORD_LENGTH_UNTRUE: "
                + findings.describe(0)),
        logged);
  }

  @Test
  void anObservedRuleNamesSectionAndRecord() {
    verdict.reset(Policy.CLIENT.toBuilder().section("eu").build());
    findings.add(Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, 61, 7, 100, 9, 0);
    verdict.batch(100, (byte) 2);
    verdict.header(Codec.LZ4, false, TimestampType.CREATE_TIME);
    judge();
    assertEquals(
        List.of(
            "warn A rule of the topic would refuse a batch for orders-3 (section eu, record 7),"
                + " number 1 of this kind: TOPIC_VALUE_SCHEMA_NOT_ALLOWED: the value has schema id"
                + " 9, which the topic does not allow"),
        logged);
  }

  @Test
  void headersOfRulesHaveTheirKeys() {
    TopicRules rules =
        TopicRules.NONE
            .with(TopicRule.HEADERS_REQUIRED, List.of("trace"))
            .with(TopicRule.HEADERS_FORBIDDEN, List.of("debug"));
    verdict.reset(Policy.CLIENT.toBuilder().topicRules(rules).build());
    verdict.batch(100, (byte) 2);
    verdict.header(Codec.LZ4, false, TimestampType.CREATE_TIME);
    findings.add(Reason.TOPIC_HEADER_FORBIDDEN, 61, 7, 100, 0, 0);
    assertEquals(1, judge());
    assertTrue(logged.get(0).endsWith(": the record has forbidden header \"debug\" of the topic"));
    verdict.walk().violations().add(Reason.TOPIC_HEADER_MISSING, 4, 40, 0, 0);
    verdict.enforceTopic();
    assertEquals(1, judge());
    assertTrue(logged.get(1).endsWith(": the record lacks required header \"trace\" of the topic"));
    assertEquals(
        "the record lacks required header \"trace\" of the topic", verdict.describeFailure(0));
  }

  @Test
  void anEnforcedRuleNamesSectionAndRecord() {
    verdict.reset(Policy.CLIENT.toBuilder().section("eu").build());
    verdict.walk().violations().add(Reason.TOPIC_KEY_MISSING, 4, 40, 0, 0);
    verdict.enforceTopic();
    judge();
    assertEquals(0, judge());
    verdict.reset(Policy.CLIENT);
    findings.add(Reason.TOPIC_KEY_MISSING, 61, 5, 50, 0, 0);
    verdict.batch(100, (byte) 2);
    verdict.header(Codec.LZ4, false, TimestampType.CREATE_TIME);
    assertEquals(1, judge());
    verdict.reset(Policy.CLIENT);
    verdict.violate(Reason.TOPIC_CODEC_NOT_ALLOWED, 2);
    verdict.enforceTopic();
    judge();
    assertEquals(
        List.of(
            "warn A rule of the topic refuses a batch for orders-3 (section eu, record 4), number 1"
                + " of this kind: TOPIC_KEY_MISSING: the record has no key, the topic requires one",
            "warn A rule of the topic would refuse a batch for orders-3 (section default, record"
                + " 5), number 1 of this kind: TOPIC_KEY_MISSING: the record has no key, the topic"
                + " requires one",
            "warn A rule of the topic refuses a batch for orders-3 (section default), number 1 of"
                + " this kind: TOPIC_CODEC_NOT_ALLOWED: the topic does not allow codec id 2"
                + " (snappy)"),
        logged);
  }
}
