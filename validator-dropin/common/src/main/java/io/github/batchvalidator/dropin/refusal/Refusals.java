// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;

/**
 * The table from each {@link Reason} to Kafka's exception class and meter. {@link ClientText}
 * supplies the messages.
 */
public final class Refusals {
  /** The meters that Kafka marks. A reason that is not in the map has none. */
  private static final Map<Reason, Metric> METRICS = metrics();

  private Refusals() {}

  /**
   * Initializes the classes that a refusal needs. If memory ran out while the first refusal
   * initialized them, they would stay unusable, and every later refusal would crash.
   */
  public static void prepare() {
    exception(Answer.INVALID_RECORD, "", null);
    ClientText.prepare();
  }

  private static Map<Reason, Metric> metrics() {
    Map<Reason, Metric> metrics = new EnumMap<>(Reason.class);
    put(
        metrics,
        Metric.OFFSET,
        Reason.BATCH_OFFSET_RANGE_INVALID,
        Reason.BATCH_COUNT_NOT_POSITIVE,
        Reason.BATCH_COUNT_MISMATCH,
        Reason.BATCH_CONTROL_NOT_ALLOWED,
        Reason.RECORD_OFFSET_NOT_SEQUENTIAL);
    put(metrics, Metric.SEQUENCE, Reason.BATCH_SEQUENCE_INVALID);
    put(metrics, Metric.MAGIC, Reason.REBUILD_MAGIC_MISMATCH, Reason.RECORD_MAGIC_MISMATCH);
    put(metrics, Metric.CHECKSUM, Reason.RECORD_CRC_MISMATCH);
    put(metrics, Metric.NO_KEY, Reason.RECORD_KEY_MISSING);
    return metrics;
  }

  private static void put(Map<Reason, Metric> metrics, Metric metric, Reason... reasons) {
    for (Reason reason : reasons) {
      metrics.put(reason, metric);
    }
  }

  /** {@return the meter that a reason marks} */
  static Metric metric(Reason reason) {
    return METRICS.getOrDefault(reason, Metric.NONE);
  }

  /**
   * Marks the meters that Kafka would mark, and returns the exception to throw.
   *
   * @param verdict the verdict that refuses
   * @param text the texts for the verdict
   * @param meters the broker's meters
   * @return the exception
   */
  public static RuntimeException of(Verdict verdict, ClientText text, Meters meters) {
    boolean byRecords = verdict.decidedByRecords();
    int checked = byRecords ? Integer.MAX_VALUE : checkedRecords(verdict);
    for (int i = 0; i < verdict.failureCount() && verdict.failureIndex(i) < checked; i++) {
      mark(metric(verdict.failureReason(i)), meters);
    }
    Reason reason = Objects.requireNonNull(verdict.reason());
    if (byRecords) {
      List<RecordError> errors = text.recordErrors();
      return new RecordValidationException(invalid(reason, text, errors), errors);
    }
    mark(metric(reason), meters);
    RuntimeException refusal = exception(reason.answer(), text.ofBatch(), verdict.cause());
    // Producers get the text of a RecordValidationException only, never that of other exceptions.
    boolean isOurs = isOfOperator(reason) && !text.isWordedByKafka();
    return isOurs && refusal instanceof ApiException coded
        ? new RecordValidationException(coded, List.of())
        : refusal;
  }

  /** {@return true for the rules that an operator can set; Kafka has one, a limit on records} */
  private static boolean isOfOperator(Reason reason) {
    return reason.isTopicRule() || reason.isLimit() || reason.level() == Level.STRICT;
  }

  private static void mark(Metric metric, Meters meters) {
    if (metric != Metric.NONE) {
      meters.mark(metric);
    }
  }

  /**
   * {@return the number of checked records of an unreadable payload} The unreadable record, or the
   * last record before surplus bytes, is not checked.
   *
   * @param verdict the verdict that refuses
   */
  public static int checkedRecords(Verdict verdict) {
    return Math.max(0, verdict.recordCount() - 1);
  }

  /**
   * Returns the exception for an answer.
   *
   * @param text the message for the client
   * @param cause the exception of a codec library, shown in the broker's log only
   */
  static RuntimeException exception(Answer answer, String text, @Nullable Throwable cause) {
    return switch (answer) {
      case INVALID_RECORD -> new InvalidRecordException(text, cause);
      case CORRUPT_MESSAGE -> new CorruptRecordException(text, cause);
      case INVALID_TIMESTAMP -> new InvalidTimestampException(text);
      case MESSAGE_TOO_LARGE -> new RecordTooLargeException(text);
      case UNSUPPORTED_FORMAT -> new UnsupportedForMessageFormatException(text);
      case DECODE_FAILURE -> new KafkaException(text, cause);
      case TRY_AGAIN -> new TimeoutException(text, cause);
    };
  }

  private static ApiException invalid(Reason why, ClientText text, List<RecordError> errors) {
    return why.answer() == Answer.INVALID_TIMESTAMP
        ? new InvalidTimestampException(ClientText.INVALID_TIMESTAMP)
        : new InvalidRecordException(text.ofRecords(errors));
  }
}
