// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.jspecify.annotations.Nullable;

/**
 * One append whose records were inspected before the lock. Under the lock, {@link #assign} stamps
 * accepted records. Kafka's own validator answers for all others, so the texts, error codes and
 * meters of a rejection are Kafka's.
 *
 * <p>Belongs to the thread that has begun it, until it is closed. Closed appends are used again:
 * there are as many as were open at the same time, at most one per request thread. One that holds
 * more memory than most batches need is dropped.
 */
public final class EarlyAppend implements AutoCloseable {
  /** An append that is validated under the lock. */
  static final EarlyAppend UNDER_LOCK = new EarlyAppend();

  /** The most heap bytes of an idle append, as in the drop-in. */
  private static final long MOST_IDLE_BYTES = 16 << 20;

  private static final ConcurrentLinkedDeque<EarlyAppend> IDLE = new ConcurrentLinkedDeque<>();

  private final BatchValidator validator = new BatchValidator();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final OffsetStamp stamp = new OffsetStamp();
  private final Verdict verdict = BatchValidator.newVerdict(0);

  /** The records to store; null if Kafka's validator has to look at them. */
  private @Nullable MemoryRecords records;

  private @Nullable LogConfig config;
  private @Nullable Time time;
  private long rebuildNanos;

  private EarlyAppend() {}

  /** Inspects records in an append that is taken from the idle ones. */
  static EarlyAppend of(
      MemoryRecords received, TopicPolicy topic, CompressionType codec, Time time) {
    EarlyAppend idle = IDLE.pollFirst();
    EarlyAppend append = idle != null ? idle : new EarlyAppend();
    boolean inspected = false;
    try {
      append.inspect(received, topic, codec, time);
      inspected = true;
      return append;
    } finally {
      if (!inspected) {
        append.close();
      }
    }
  }

  private void inspect(
      MemoryRecords received, TopicPolicy topic, CompressionType codec, Time clock) {
    ByteBuffer buffer = received.buffer();
    long nowMs = clock.milliseconds();
    boolean recompresses = topic.recompresses(codec);
    boolean accepted = recompresses || validator.inspect(buffer, topic.policy(), nowMs, verdict);
    MemoryRecords stored = received;
    if (recompresses || (accepted && verdict.needsRebuild())) {
      long started = clock.nanoseconds();
      accepted = rebuilder.rebuild(buffer, topic.policy(), nowMs, verdict);
      rebuildNanos = clock.nanoseconds() - started;
      stored = accepted ? MemoryRecords.readableRecords(rebuilder.batch()) : received;
    }
    refuseBeyondLimits();
    records = accepted ? stored : null;
    config = topic.config();
    time = clock;
  }

  /**
   * Rejects what Kafka's validator should not read: it would take as much as the batch asks for.
   */
  private void refuseBeyondLimits() {
    Reason reason = verdict.reason();
    if (reason != null && reason.isLimit()) {
      String text = verdict.describe();
      ApiException refusal =
          reason.answer() == Reason.Answer.MESSAGE_TOO_LARGE
              ? new RecordTooLargeException(text)
              : new InvalidRecordException(text);
      throw new RecordValidationException(refusal, List.of()); // producers get its text
    }
  }

  /**
   * Assigns offsets under the lock: to the records as they were inspected, or, if they were not
   * accepted or the configuration has changed, with Kafka's validator.
   *
   * @param stock Kafka's validator of the records
   * @param current the configuration under the lock
   * @param leaderEpoch the leader epoch
   * @param offset the log end offset, updated
   * @param metrics the meters for faults, which only Kafka's validator marks
   * @param buffers for Kafka's validator
   * @return the result
   */
  @SuppressWarnings("ReferenceEquality") // Kafka replaces the object when a setting changes
  public ValidationResult assign(
      LogValidator stock,
      LogConfig current,
      int leaderEpoch,
      LongRef offset,
      MetricsRecorder metrics,
      BufferSupplier buffers) {
    MemoryRecords stored = records;
    Time clock = time;
    if (stored == null || clock == null || config != current) {
      return stock.validateMessagesAndAssignOffsets(offset, metrics, buffers);
    }
    long nowMs = clock.milliseconds(); // under the lock, so that times in a log do not decrease
    stamp.firstOffset(offset.value).leaderEpoch(leaderEpoch).nowMs(nowMs);
    offset.value = stamp.assign(stored.buffer(), verdict);
    boolean isAppendTime = verdict.timestampType() == TimestampType.LOG_APPEND_TIME;
    long maxTimestamp = isAppendTime ? nowMs : verdict.maxTimestamp();
    return new ValidationResult(nowMs, stored, maxTimestamp, verdict.rebuilt(), stats());
  }

  private RecordValidationStats stats() {
    if (verdict.rebuilt()) {
      return new RecordValidationStats(
          rebuilder.temporaryMemoryBytes(verdict), verdict.recordCount(), rebuildNanos);
    }
    if (verdict.codec() == Codec.NONE) {
      return RecordValidationStats.EMPTY;
    }
    int plainBytes = (int) (DefaultRecordBatch.RECORD_BATCH_OVERHEAD + verdict.declaredBytes());
    return new RecordValidationStats(plainBytes, 0, 0);
  }

  /** Ends the append. Its records, if they were rebuilt, are in memory that is used again. */
  @Override
  public void close() {
    if (this != UNDER_LOCK) {
      records = null;
      config = null;
      time = null;
      if (validator.heapBytes() + rebuilder.heapBytes() <= MOST_IDLE_BYTES) {
        IDLE.addFirst(this);
      } else {
        validator.close();
        rebuilder.close();
      }
    }
  }
}
