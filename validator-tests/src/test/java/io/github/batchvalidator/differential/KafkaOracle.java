// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractLegacyRecordBatch;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.LegacyRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a stock broker to a batch. Calls Kafka's own classes, in the order of the broker,
 * on a copy of the bytes. Unless a call names a target codec, the topic keeps the producer's.
 */
public final class KafkaOracle {
  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

  private final BufferSupplier buffers = BufferSupplier.create();

  /**
   * One answer.
   *
   * @param thrown null if the batch was accepted
   * @param answer the family of what was thrown, null if accepted or if it is no family of Kafka's
   * @param failingRecords indexes of the records that were listed
   * @param metrics what was counted, in order
   * @param bytes what lies in the log afterwards; if refused, in the buffer that was asked about
   * @param maxTimestamp of the result
   * @param nextOffset of the log
   * @param temporaryBytes what the broker believes to have needed
   * @param rebuilt true if a new batch was written instead of the old one stamped
   */
  public record KafkaAnswer(
      @Nullable Throwable thrown,
      @Nullable Answer answer,
      List<Integer> failingRecords,
      List<Metric> metrics,
      ByteBuffer bytes,
      long maxTimestamp,
      long nextOffset,
      long temporaryBytes,
      boolean rebuilt) {

    public boolean accepted() {
      return thrown == null;
    }

    public boolean crashed() {
      return thrown != null && answer == null;
    }

    static KafkaAnswer refused(
        Throwable thrown, List<Metric> metrics, ByteBuffer bytes, long nextOffset) {
      Throwable why =
          thrown instanceof RecordValidationException several ? several.invalidException() : thrown;
      List<Integer> failing = new ArrayList<>();
      if (thrown instanceof RecordValidationException several) {
        for (RecordError error : several.recordErrors()) {
          failing.add(error.batchIndex);
        }
      }
      return new KafkaAnswer(
          thrown, family(why), failing, metrics, bytes, -1, nextOffset, -1, false);
    }
  }

  /** The metrics of failures that a broker counts. */
  public enum Metric {
    MAGIC,
    OFFSET,
    SEQUENCE,
    CHECKSUM,
    NO_KEY
  }

  /** The values that the log decides, not the batch. */
  public record Place(long firstOffset, int leaderEpoch, long nowMs) {}

  /** Returns Kafka's answer; the bytes are not changed. */
  public KafkaAnswer ask(byte[] bytes, Policy policy, Place place) {
    return ask(bytes, policy, place, null);
  }

  /** Returns Kafka's answer if the topic stores {@code target}; null keeps the producer's codec. */
  KafkaAnswer ask(byte[] bytes, Policy policy, Place place, @Nullable Codec target) {
    return ask(bytes, policy, place, target, null);
  }

  /** Returns Kafka's answer if the caller says the source has codec {@code said}, true or not. */
  KafkaAnswer ask(
      byte[] bytes, Policy policy, Place place, @Nullable Codec target, @Nullable Codec said) {
    MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes.clone()));
    PrimitiveRef.LongRef offset = PrimitiveRef.ofLong(place.firstOffset());
    Metrics metrics = new Metrics(new ArrayList<>());
    try {
      CompressionType found = checkAsCaller(records, policy);
      CompressionType codec = said == null ? found : CompressionType.forId(said.id());
      ValidationResult result =
          validator(records, policy, place, codec, target)
              .validateMessagesAndAssignOffsets(offset, metrics, buffers);
      return new KafkaAnswer(
          null,
          null,
          List.of(),
          metrics.counted(),
          result.validatedRecords().buffer(),
          result.maxTimestampMs(),
          offset.value,
          result.recordValidationStats().temporaryMemoryBytes(),
          result.messageSizeMaybeChanged());
    } catch (RuntimeException | Error e) {
      return KafkaAnswer.refused(e, metrics.counted(), records.buffer(), offset.value);
    }
  }

  /** The checks of {@code ProduceRequest} and {@code UnifiedLog} before the validator is called. */
  private static CompressionType checkAsCaller(MemoryRecords records, Policy policy) {
    boolean client = policy.origin() == Origin.CLIENT;
    if (!policy.checkedByHost() && client) {
      ProduceRequest.validateRecords(ApiKeys.PRODUCE.latestVersion(), records);
    }
    CompressionType codec = CompressionType.NONE;
    try {
      for (MutableRecordBatch batch : records.batches()) {
        if (!policy.checkedByHost()) {
          checkBatch(batch, policy);
        }
        CompressionType used = batch.compressionType();
        codec = used == CompressionType.NONE ? codec : used;
      }
    } catch (CorruptRecordException e) {
      if (!policy.checkedByHost()) {
        throw e;
      } // else left to the validator, which comes to it later
    }
    return codec;
  }

  private static void checkBatch(MutableRecordBatch batch, Policy policy) {
    if (policy.origin() == Origin.CLIENT
        && batch.magic() == RecordBatch.MAGIC_VALUE_V2
        && batch.baseOffset() != 0) {
      throw new InvalidRecordException("base offset " + batch.baseOffset());
    }
    batch.lastOffset(); // a broker asks for it here, whether or not there are so many bytes
    if (policy.origin() != Origin.REPLICATION && batch.sizeInBytes() > policy.maxBatchBytes()) {
      throw new RecordTooLargeException("size " + batch.sizeInBytes());
    }
    if (!batch.isValid()) {
      throw new CorruptRecordException("stored CRC " + batch.checksum());
    }
  }

  private static LogValidator validator(
      MemoryRecords records,
      Policy policy,
      Place place,
      CompressionType codec,
      @Nullable Codec target) {
    CompressionType stored = target == null ? codec : CompressionType.forId(target.id());
    return new LogValidator(
        records,
        PARTITION,
        new StoppedTime(place.nowMs()),
        codec,
        Compression.of(stored).build(),
        policy.compactedTopic(),
        policy.target().magic(),
        TimestampType.valueOf(policy.target().timestampType().name()),
        policy.timestampBeforeMaxMs(),
        policy.timestampAfterMaxMs(),
        place.leaderEpoch(),
        AppendOrigin.valueOf(policy.origin().name()));
  }

  static @Nullable Answer family(Throwable thrown) {
    if (thrown instanceof InvalidTimestampException) {
      return Answer.INVALID_TIMESTAMP;
    }
    if (thrown instanceof CorruptRecordException) {
      return Answer.CORRUPT_MESSAGE;
    }
    if (thrown instanceof UnsupportedForMessageFormatException) {
      return Answer.UNSUPPORTED_FORMAT;
    }
    if (thrown instanceof RecordTooLargeException) {
      return Answer.MESSAGE_TOO_LARGE;
    }
    if (thrown instanceof InvalidRecordException) {
      return Answer.INVALID_RECORD;
    }
    return thrown.getClass() == KafkaException.class ? Answer.DECODE_FAILURE : null;
  }

  /** Returns what Kafka's full reader throws at the first batch. */
  public @Nullable Throwable readAll(byte[] bytes) {
    return readAll(bytes, false);
  }

  /** Returns what a consumer throws there: it opens the stream of a batch without records, too. */
  @Nullable Throwable consume(byte[] bytes) {
    return readAll(bytes, true);
  }

  private @Nullable Throwable readAll(byte[] bytes, boolean opensEveryStream) {
    MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes.clone()));
    try {
      MutableRecordBatch batch = records.batches().iterator().next();
      if (!batch.isValid()) {
        return new CorruptRecordException("stored CRC " + batch.checksum());
      }
      Objects.requireNonNull(batch.compressionType()); // fails where there is no such codec
      if (batch.countOrNull() != null && batch.countOrNull() == 0 && !opensEveryStream) {
        return null;
      }
      try (CloseableIterator<Record> iterator = batch.streamingIterator(buffers)) {
        while (iterator.hasNext()) {
          iterator.next();
        }
      }
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /** As {@link #readAll}, keys, values and checksums of the messages included. */
  @Nullable Throwable readEveryField(byte[] bytes) {
    try {
      for (Record record : MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).records()) {
        record.key();
        record.value();
        record.ensureValid();
      }
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /**
   * Returns how many plain bytes the records of a sound batch take, as Kafka's full reader sees.
   */
  long bytesOfRecords(byte[] bytes) {
    MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes.clone()));
    long sum = 0;
    try (CloseableIterator<Record> iterator =
        records.batches().iterator().next().streamingIterator(buffers)) {
      while (iterator.hasNext()) {
        sum += iterator.next().sizeInBytes();
      }
    }
    return sum;
  }

  /** Returns true if Kafka's decompression stream reads the payload to its end. */
  boolean isStreamSound(byte[] bytes) {
    try {
      MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes.clone()));
      RecordBatch batch = records.batches().iterator().next();
      try (InputStream plain = plain(batch)) {
        byte[] some = new byte[4096];
        int read;
        do {
          read = plain.read(some);
        } while (read >= 0);
        return true;
      }
    } catch (IOException | RuntimeException | Error e) {
      return false;
    }
  }

  private InputStream plain(RecordBatch batch) {
    if (batch instanceof DefaultRecordBatch current) {
      return current.recordInputStream(buffers);
    }
    LegacyRecord message = ((AbstractLegacyRecordBatch) batch).outerRecord();
    return Compression.of(batch.compressionType())
        .build()
        .wrapForInput(Objects.requireNonNull(message.value()), batch.magic(), buffers);
  }

  private record Metrics(List<Metric> counted) implements LogValidator.MetricsRecorder {
    @Override
    public void recordInvalidMagic() {
      counted.add(Metric.MAGIC);
    }

    @Override
    public void recordInvalidOffset() {
      counted.add(Metric.OFFSET);
    }

    @Override
    public void recordInvalidSequence() {
      counted.add(Metric.SEQUENCE);
    }

    @Override
    public void recordInvalidChecksums() {
      counted.add(Metric.CHECKSUM);
    }

    @Override
    public void recordNoKeyCompactedTopic() {
      counted.add(Metric.NO_KEY);
    }
  }

  /** A clock that stands still. */
  private record StoppedTime(long nowMs) implements Time {
    @Override
    public long milliseconds() {
      return nowMs;
    }

    @Override
    public long nanoseconds() {
      return nowMs * 1_000_000;
    }

    @Override
    public void sleep(long ms) {
      throw new AssertionError("nobody waits on a clock that stands still");
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
      throw new AssertionError("nobody waits on a clock that stands still");
    }
  }
}
