// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import io.github.batchvalidator.dropin.RecordedMetrics;
import io.github.batchvalidator.dropin.refusal.Metric;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/** One append to a log, made by Kafka's validator or as the fork makes it. */
final class ForkedAppend {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final long FIRST_OFFSET = 4_000_000_123L;
  private static final int LEADER_EPOCH = 7;

  private final EarlyAppends appends = new EarlyAppends();
  private final ByteBuffer batch;
  private final LogConfig config;
  private final AppendOrigin origin;
  private int stockCalls;

  ForkedAppend(ByteBuffer batch, LogConfig config, AppendOrigin origin) {
    this.batch = batch;
    this.config = config;
    this.origin = origin;
  }

  /** Returns an append of a client to a topic with some settings. */
  static ForkedAppend of(ByteBuffer batch, Map<String, String> settings) {
    return new ForkedAppend(batch, new LogConfig(settings), AppendOrigin.CLIENT);
  }

  /**
   * The effects of an append.
   *
   * @param header of the stored batch, its size and checksum left out
   * @param records as a consumer reads them
   * @param result without the time that a rebuild took
   * @param refusal class and text of the exception, and the texts of its records
   * @param nextOffset the log end offset
   */
  record Outcome(
      String header,
      List<String> records,
      String result,
      List<String> refusal,
      List<Metric> meters,
      long nextOffset) {
    boolean accepted() {
      return refusal.isEmpty();
    }
  }

  /** Returns how often the fork asked Kafka's validator. */
  int stockCalls() {
    return stockCalls;
  }

  Outcome stock() {
    return outcome(
        (records, offset, meters) ->
            validator(records, config)
                .validateMessagesAndAssignOffsets(offset, meters, BufferSupplier.NO_CACHING));
  }

  Outcome fork() {
    return fork(config);
  }

  /** Appends with settings that changed before the lock was taken. */
  Outcome fork(LogConfig underLock) {
    Clock time = new Clock();
    byte magic = RecordBatch.CURRENT_MAGIC_VALUE;
    return outcome(
        (records, offset, meters) -> {
          time.nowMs = Batches.nowMs();
          try (EarlyAppend early =
              appends.begin(records, origin, codec(records), magic, config, time)) {
            time.nowMs = Clock.UNDER_LOCK_MS;
            LogValidator stock = validator(records, underLock);
            BufferSupplier buffers = BufferSupplier.NO_CACHING;
            return copy(early.assign(stock, underLock, LEADER_EPOCH, offset, meters, buffers));
          }
        });
  }

  /** Copies the records, whose memory is used again after the append. */
  private static ValidationResult copy(ValidationResult result) {
    return new ValidationResult(
        result.logAppendTimeMs(),
        MemoryRecords.readableRecords(Batches.copy(result.validatedRecords().buffer())),
        result.maxTimestampMs(),
        result.messageSizeMaybeChanged(),
        result.recordValidationStats());
  }

  private static CompressionType codec(MemoryRecords records) {
    return records.batches().iterator().next().compressionType();
  }

  private LogValidator validator(MemoryRecords records, LogConfig settings) {
    CompressionType codec = codec(records);
    return new LogValidator(
        records,
        PARTITION,
        new Clock(),
        codec,
        settings.compression.orElseGet(() -> Compression.of(codec).build()),
        settings.compact,
        RecordBatch.CURRENT_MAGIC_VALUE,
        settings.messageTimestampType,
        settings.messageTimestampBeforeMaxMs,
        settings.messageTimestampAfterMaxMs,
        LEADER_EPOCH,
        origin) {
      @Override
      public ValidationResult validateMessagesAndAssignOffsets(
          LongRef offsetCounter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
        stockCalls++;
        return super.validateMessagesAndAssignOffsets(
            offsetCounter, metricsRecorder, bufferSupplier);
      }
    };
  }

  private interface Call {
    ValidationResult run(MemoryRecords records, LongRef offset, RecordedMetrics meters);
  }

  private Outcome outcome(Call call) {
    stockCalls = 0;
    MemoryRecords records = MemoryRecords.readableRecords(Batches.copy(batch));
    LongRef offset = PrimitiveRef.ofLong(FIRST_OFFSET);
    RecordedMetrics meters = new RecordedMetrics();
    try {
      ValidationResult result = call.run(records, offset, meters);
      String text =
          "time %d, largest %d, size may differ: %b, temporary %d, converted %d"
              .formatted(
                  result.logAppendTimeMs(),
                  result.maxTimestampMs(),
                  result.messageSizeMaybeChanged(),
                  result.recordValidationStats().temporaryMemoryBytes(),
                  result.recordValidationStats().numRecordsConverted());
      MemoryRecords stored = result.validatedRecords();
      return new Outcome(
          header(stored), read(stored), text, List.of(), meters.called(), offset.value);
    } catch (RuntimeException e) {
      return new Outcome("", List.of(), "", refusal(e), meters.called(), offset.value);
    }
  }

  private static String header(MemoryRecords stored) {
    RecordBatch only = stored.batches().iterator().next();
    only.ensureValid();
    return "%s %s max %d epoch %d, producer %d %d %d, transactional %b"
        .formatted(
            only.compressionType(),
            only.timestampType(),
            only.maxTimestamp(),
            only.partitionLeaderEpoch(),
            only.producerId(),
            only.producerEpoch(),
            only.baseSequence(),
            only.isTransactional());
  }

  private static List<String> read(MemoryRecords stored) {
    List<String> texts = new ArrayList<>();
    for (Record each : stored.records()) {
      texts.add(each.offset() + " " + each.timestamp() + " " + each.key() + " " + each.value());
    }
    return texts;
  }

  private static List<String> refusal(RuntimeException thrown) {
    List<String> texts = new ArrayList<>();
    texts.add(thrown.toString());
    if (thrown instanceof RecordValidationException several) {
      texts.add(several.invalidException().toString());
      several.recordErrors().forEach(each -> texts.add(each.batchIndex + " " + each.message));
    }
    return texts;
  }

  /** A clock that stands still, by default at the time under the lock. */
  private static final class Clock implements Time {
    static final long UNDER_LOCK_MS = Batches.nowMs() + 5;

    private long nowMs = UNDER_LOCK_MS;

    @Override
    public long milliseconds() {
      return nowMs;
    }

    @Override
    public long nanoseconds() {
      return 0;
    }

    @Override
    public void sleep(long ms) {
      throw new AssertionError("an append does not wait");
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
      throw new AssertionError("an append does not wait");
    }
  }
}
