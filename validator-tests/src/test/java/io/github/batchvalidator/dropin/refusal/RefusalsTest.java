// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.RecordedMetrics;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The exception, meters and failing records for each reason, as in Kafka. */
class RefusalsTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private static final Policy POLICY =
      Policy.builder(Origin.CLIENT)
          .timestampWindowMs(1_000, 500)
          .topicRules(
              TopicRules.NONE
                  .with(TopicRule.HEADERS_REQUIRED, List.of("trace", "span"))
                  .with(TopicRule.HEADERS_FORBIDDEN, List.of("debug")))
          .build();

  private final RecordedMetrics metrics = new RecordedMetrics();
  private final MutableVerdict verdict = new MutableVerdict(100);

  @ParameterizedTest
  @CsvSource({
    "INVALID_RECORD, INVALID_RECORD",
    "CORRUPT_MESSAGE, CORRUPT_MESSAGE",
    "INVALID_TIMESTAMP, INVALID_TIMESTAMP",
    "MESSAGE_TOO_LARGE, MESSAGE_TOO_LARGE",
    "UNSUPPORTED_FORMAT, UNSUPPORTED_FOR_MESSAGE_FORMAT",
    "DECODE_FAILURE, UNKNOWN_SERVER_ERROR",
    "TRY_AGAIN, REQUEST_TIMED_OUT"
  })
  void answersWithKafkasErrorCode(Answer answer, Errors error) {
    assertEquals(error, Errors.forException(Refusals.exception(answer, "why", null)));
  }

  @ParameterizedTest
  @EnumSource(Answer.class)
  void hasAnExceptionForEveryAnswer(Answer answer) {
    assertEquals("why", Refusals.exception(answer, "why", null).getMessage());
  }

  /** Producers treat any other answer as final and drop the batch. */
  @Test
  void aLackOfMemoryIsRetriable() {
    verdict.refuse(Reason.CODEC_OUT_OF_MEMORY, 0, 4, 0);
    assertInstanceOf(RetriableException.class, refuse());
  }

  @Test
  void theLogGetsTheMessageOfTheCodecLibraryAndTheClientDoesNot() {
    Throwable thrown = new IllegalArgumentException("Data corruption detected");
    verdict.refuse(Reason.CODEC_DATA_CORRUPT, 0, 0, 0, thrown);
    RuntimeException refusal = refuse();
    assertSame(thrown, refusal.getCause());
    String message = String.valueOf(refusal.getMessage());
    assertFalse(message.contains("detected"), message);
  }

  @Test
  void namesThePartition() {
    verdict.refuse(Reason.BATCH_SEQUENCE_INVALID, 0, -5, 7);
    String message = String.valueOf(refuse().getMessage());
    assertTrue(message.contains("orders-3"), message);
    assertTrue(message.startsWith("Invalid sequence number -5"), message);
    assertEquals(List.of(Metric.SEQUENCE), metrics.called());
  }

  @Test
  void listsEveryFailingRecordAndSharesEqualTexts() {
    fail(Reason.RECORD_KEY_MISSING, 1);
    fail(Reason.RECORD_KEY_MISSING, 2);
    fail(Reason.RECORD_KEY_MISSING, 5);
    fail(Reason.RECORD_KEY_MISSING, 8);
    RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
    assertEquals(List.of(1, 2, 5, 8), e.recordErrors().stream().map(r -> r.batchIndex).toList());
    assertEquals(
        "Compacted topic cannot accept message without key in topic partition orders-3",
        e.recordErrors().get(0).message);
    assertSame(e.recordErrors().get(0).message, e.recordErrors().get(3).message);
    InvalidRecordException why =
        assertInstanceOf(InvalidRecordException.class, e.invalidException());
    String message = String.valueOf(why.getMessage());
    assertTrue(message.contains(" 4 record errors "), message);
    assertTrue(message.contains("batchIndex=5"), message);
    assertTrue(!message.contains("batchIndex=8"), message);
    assertEquals(
        List.of(Metric.NO_KEY, Metric.NO_KEY, Metric.NO_KEY, Metric.NO_KEY), metrics.called());
  }

  @Test
  void oneTimestampDecides() {
    fail(Reason.RECORD_KEY_MISSING, 1);
    verdict.walk().fail(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, 2, 0, 5_000, 9_000);
    verdict.failures().complete(2, 1, 1);
    verdict.failures().baseOffset(40);
    RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
    assertInstanceOf(InvalidTimestampException.class, e.invalidException());
    assertEquals(
        "One or more records have been rejected due to invalid timestamp",
        e.invalidException().getMessage());
    assertEquals(
        List.of(
            "Compacted topic cannot accept message without key in topic partition orders-3",
            "Timestamp 5000 of message with offset 42 is out of range."
                + " The timestamp should be within [8000, 9500]"),
        e.recordErrors().stream().map(r -> r.message).toList());
    assertEquals(List.of(Metric.NO_KEY), metrics.called());
  }

  @Test
  void countsABatchOfAnotherMagicThanTheFirst() {
    verdict.refuse(Reason.REBUILD_MAGIC_MISMATCH, 0, 1, 2);
    RuntimeException e = refuse();
    assertInstanceOf(InvalidRecordException.class, e);
    assertTrue(String.valueOf(e.getMessage()).contains("orders-3"), e.toString());
    assertEquals(List.of(Metric.MAGIC), metrics.called());
  }

  @Test
  void callsTheMetricsOfRecordsBeforeAnUnreadableOne() {
    fail(Reason.RECORD_KEY_MISSING, 1);
    fail(Reason.RECORD_KEY_MISSING, 2);
    fail(Reason.RECORD_KEY_MISSING, 3);
    verdict.refuse(Reason.PAYLOAD_BYTES_LEFT, 61, 4, 0);
    verdict.walk().records(4, 100, 0);
    assertInstanceOf(InvalidRecordException.class, refuse());
    assertEquals(List.of(Metric.NO_KEY, Metric.NO_KEY), metrics.called());
  }

  /** Kafka sends the text of no other exception to a producer. */
  @Test
  void producersGetTheTextOfATopicRuleAboutABatch() {
    verdict.violate(Reason.TOPIC_CODEC_NOT_ALLOWED, Codec.SNAPPY.id());
    assertFalse(verdict.enforceTopic());
    RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
    assertEquals(List.of(), e.recordErrors());
    assertInstanceOf(InvalidRecordException.class, e.invalidException());
    assertEquals(
        "Batch for orders-3 is refused: the topic does not allow codec id 2 (snappy)",
        e.invalidException().getMessage());
    assertEquals(List.of(), metrics.called());
  }

  @Test
  void producersGetTheTextOfLevelStrict() {
    verdict.refuse(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
    assertEquals(List.of(), e.recordErrors());
    assertInstanceOf(InvalidRecordException.class, e.invalidException());
    assertEquals(
        "Batch for orders-3 is refused: 3 bytes follow the compressed stream",
        e.invalidException().getMessage());
    verdict.reset(POLICY);
    verdict.refuse(Reason.RECORD_TIMESTAMP_NEGATIVE, 61, -5, 0);
    e = assertInstanceOf(RecordValidationException.class, refuse());
    assertInstanceOf(InvalidTimestampException.class, e.invalidException());
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void producersGetTheTextOfALimit(Reason reason) {
    if (reason.isLimit() && reason != Reason.LIMIT_RECORD_BYTES) {
      verdict.refuse(reason, 61, 30, 20);
      RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
      assertEquals(List.of(), e.recordErrors());
      String text = String.valueOf(e.invalidException().getMessage());
      assertEquals("Batch for orders-3 is refused: " + reason.describe(30, 20), text);
    }
    assertEquals(reason.name().startsWith("LIMIT_"), reason.isLimit());
  }

  /** Kafka 4.4 has this limit, too, and sends no text. */
  @Test
  void aLargeRecordIsRefusedAsByKafka() {
    verdict.refuse(Reason.LIMIT_RECORD_BYTES, 61, 30, Limits.LARGEST_RECORD_BYTES);
    assertInstanceOf(InvalidRecordException.class, refuse());
    verdict.reset(POLICY);
    verdict.refuse(Reason.LIMIT_RECORD_BYTES, 61, 30, 20); // what a rebuild may hold
    assertInstanceOf(RecordValidationException.class, refuse());
  }

  @Test
  void headersOfTopicRulesHaveTheirKeys() {
    violate(Reason.TOPIC_HEADER_MISSING, 1, 1);
    violate(Reason.TOPIC_HEADER_FORBIDDEN, 4, 0);
    assertFalse(verdict.enforceTopic());
    RecordValidationException e = assertInstanceOf(RecordValidationException.class, refuse());
    assertEquals(
        List.of(
            "the record lacks required header \"span\" of the topic",
            "the record has forbidden header \"debug\" of the topic"),
        e.recordErrors().stream().map(r -> r.message).toList());
  }

  private void violate(Reason why, int index, int header) {
    verdict.walk().violations().add(why, index, 0, header, 0);
  }

  private void fail(Reason why, int index) {
    verdict.walk().fail(why, index, 0, 0, 0);
  }

  private RuntimeException refuse() {
    ByteBuffer batch = ByteBuffer.allocate(BatchLayout.HEADER_BYTES);
    return Refusals.of(verdict, new ClientText(verdict, PARTITION, POLICY, batch, true), metrics);
  }
}
