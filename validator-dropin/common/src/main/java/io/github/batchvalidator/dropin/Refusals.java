// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * The one table from a {@link Reason} to what Kafka makes of it: exception class, metric, text.
 *
 * <p>Texts are our own, but for the sentence about timestamps, which Kafka's broker tests expect
 * word for word.
 */
final class Refusals {
  private static final String TIMESTAMP_SENTENCE =
      "One or more records have been rejected due to invalid timestamp";

  /** As many failing records the sentence about them names. */
  private static final int NAMED_FAILURES = 3;

  private static final Map<Reason, Metric> METRICS = metrics();

  private Refusals() {}

  private static Map<Reason, Metric> metrics() {
    Map<Reason, Metric> metrics = new EnumMap<>(Reason.class);
    metrics.put(Reason.BATCH_OFFSET_RANGE_INVALID, Metric.OFFSET);
    metrics.put(Reason.BATCH_COUNT_NOT_POSITIVE, Metric.OFFSET);
    metrics.put(Reason.BATCH_COUNT_MISMATCH, Metric.OFFSET);
    metrics.put(Reason.BATCH_CONTROL_NOT_ALLOWED, Metric.OFFSET);
    metrics.put(Reason.BATCH_SEQUENCE_INVALID, Metric.SEQUENCE);
    metrics.put(Reason.RECORD_MAGIC_MISMATCH, Metric.MAGIC);
    metrics.put(Reason.RECORD_CRC_MISMATCH, Metric.CHECKSUM);
    metrics.put(Reason.RECORD_KEY_MISSING, Metric.NO_KEY);
    return metrics;
  }

  /** {@return what a fault marks} */
  static Metric metric(Reason reason) {
    return METRICS.getOrDefault(reason, Metric.NONE);
  }

  /**
   * Calls the metrics as Kafka would and says what to throw.
   *
   * @param verdict which refuses
   * @param partition for the text
   * @param recorder is called for each fault that Kafka counts
   * @return the exception
   */
  static RuntimeException of(Verdict verdict, TopicPartition partition, MetricsRecorder recorder) {
    boolean byRecords = verdict.decidedByRecords();
    int checked = byRecords ? Integer.MAX_VALUE : checkedRecords(verdict);
    for (int i = 0; i < verdict.failureCount() && verdict.failureIndex(i) < checked; i++) {
      metric(verdict.failureReason(i)).record(recorder);
    }
    if (byRecords) {
      return ofRecords(verdict, partition);
    }
    Reason reason = Objects.requireNonNull(verdict.reason());
    metric(reason).record(recorder);
    return exception(reason.answer(), text(verdict.describe(), partition));
  }

  /**
   * {@return how many records had been read when the payload turned out to be unreadable} The one
   * that could not be read, or the last one with bytes behind it, never got to the checks.
   */
  static int checkedRecords(Verdict verdict) {
    return Math.max(0, verdict.recordCount() - 1);
  }

  /**
   * {@return what to throw for a batch that differs from the first one, after its metric was
   * called}
   *
   * @param reason of it
   * @param first operand of its sentence
   * @param second operand of its sentence
   * @param partition for the text
   * @param recorder is called
   */
  static RuntimeException of(
      Reason reason, long first, long second, TopicPartition partition, MetricsRecorder recorder) {
    metric(reason).record(recorder);
    return of(reason, first, second, partition);
  }

  /**
   * {@return what to throw for a fault of the framing, which marks nothing}
   *
   * @param reason of it
   * @param first operand of its sentence
   * @param second operand of its sentence
   * @param partition for the text
   */
  static RuntimeException of(Reason reason, long first, long second, TopicPartition partition) {
    return exception(reason.answer(), text(reason.describe(first, second), partition));
  }

  static RuntimeException exception(Answer answer, String text) {
    return switch (answer) {
      case INVALID_RECORD -> new InvalidRecordException(text);
      case CORRUPT_MESSAGE -> new CorruptRecordException(text);
      case INVALID_TIMESTAMP -> new InvalidTimestampException(text);
      case MESSAGE_TOO_LARGE -> new RecordTooLargeException(text);
      case UNSUPPORTED_FORMAT -> new UnsupportedForMessageFormatException(text);
      case DECODE_FAILURE -> new KafkaException(text);
    };
  }

  private static RuntimeException ofRecords(Verdict verdict, TopicPartition partition) {
    List<RecordError> errors = new ArrayList<>(verdict.failureCount());
    String last = "";
    for (int i = 0; i < verdict.failureCount(); i++) {
      String text = verdict.describeFailure(i);
      // Most texts of a batch are the same: a batch of nothing but failures is to cost little.
      last = text.equals(last) ? last : text;
      errors.add(new RecordError(verdict.failureIndex(i), last));
    }
    return new RecordValidationException(invalid(verdict, errors, partition), errors);
  }

  private static ApiException invalid(
      Verdict verdict, List<RecordError> errors, TopicPartition partition) {
    Reason deciding = Objects.requireNonNull(verdict.reason());
    if (deciding.answer() == Answer.INVALID_TIMESTAMP) {
      return new InvalidTimestampException(TIMESTAMP_SENTENCE);
    }
    List<RecordError> named = errors.subList(0, Math.min(NAMED_FAILURES, errors.size()));
    return new InvalidRecordException(
        text(
            verdict.failureTotal() + " records are refused, the first of them: " + named,
            partition));
  }

  private static String text(String sentence, TopicPartition partition) {
    return "Batch for " + partition + " is refused: " + sentence;
  }
}
